// Ranks that send each other messages, and that lose one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "ranks/any_parts.hpp"
#include "support/message_of.hpp"

namespace dshn::ranks {
namespace {

using dshn::test::message_of;

TEST(Group, HandsAroundRowsOfAnyNumber) {
  test::on_ranks(3, [](int rank, const std::shared_ptr<const Group>& group) {
    const std::vector<at::Tensor> all = group->all(torch::full({rank, 2}, rank, torch::kDouble));
    ASSERT_EQ(all.size(), 3U);
    for (int p = 0; p < 3; ++p) EXPECT_TRUE(torch::equal(all[p], torch::full({p, 2}, p, torch::kDouble)));
  });
}

TEST(Group, NamesTheOneThatIsGoneOnEveryOther) {
  constexpr int kRanks = 5;
  constexpr int kGone = 2;
  auto groups = Group::in_threads(kRanks);
  groups[kGone].reset();
  std::vector<std::string> messages(kRanks);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < kRanks; ++rank) {
    if (rank == kGone) continue;
    // In a sum a rank hears of its neighbours alone.
    threads.emplace_back([&, rank, group = std::move(groups[rank])] {
      messages[rank] = message_of<Lost>([&] { group->sum(torch::ones({1000}, torch::kDouble)); });
    });
  }
  threads.clear();
  messages.erase(messages.begin() + kGone);
  EXPECT_THAT(messages, testing::Each("rank 2 is gone, or silent for too long"));
}

}  // namespace
}  // namespace dshn::ranks
