#include "dshn/ranks/place.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "dshn/base/error.hpp"

namespace dshn::ranks {
namespace {

std::optional<Place> place(const std::map<std::string, std::string>& variables) {
  return place_of([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Place, IsWhatTorchrunSays) {
  const auto found = place({{"RANK", "2"},
                            {"WORLD_SIZE", "4"},
                            {"MASTER_ADDR", "node7"},
                            {"MASTER_PORT", "1234"},
                            {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2);
  EXPECT_EQ(found->size, 4);
  EXPECT_EQ(found->host, "node7");
  EXPECT_EQ(found->port, 1234);
  EXPECT_FALSE(found->opened_by_rank_0);
}

TEST(Place, IsWhatMpirunSays) {
  const auto open_mpi = place({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}});
  ASSERT_TRUE(open_mpi);
  EXPECT_EQ(open_mpi->rank, 1);
  EXPECT_EQ(open_mpi->host, "127.0.0.1");
  EXPECT_EQ(open_mpi->port, 29500);
  EXPECT_TRUE(open_mpi->opened_by_rank_0);
  EXPECT_EQ(place({{"PMI_RANK", "3"}, {"PMI_SIZE", "8"}})->size, 8);
}

TEST(Place, IsWhatSrunSays) {
  const auto of = [](const std::string& hosts) {
    return place({{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_STEP_NODELIST", hosts}})
        ->host;
  };
  EXPECT_EQ(of("gpu[07-09,12],cpu1"), "gpu07");
  EXPECT_EQ(of("node1,node2"), "node1");
  EXPECT_EQ(of("alone"), "alone");
  // A plain process of an allocation is not one of several.
  EXPECT_FALSE(place({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "6"}}));
}

TEST(Place, IsNoneWhereThereAreNoOthers) {
  EXPECT_FALSE(place({}));
  EXPECT_FALSE(place({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  EXPECT_FALSE(place({{"RANK", "0"}}));
}

TEST(Place, IsRefusedWhereItCannotBe) {
  EXPECT_THROW(place({{"RANK", "4"}, {"WORLD_SIZE", "4"}}), UsageError);
  EXPECT_THROW(place({{"RANK", "first"}, {"WORLD_SIZE", "4"}}), UsageError);
  EXPECT_THROW(place({{"RANK", "0"}, {"WORLD_SIZE", "4"}, {"MASTER_PORT", "99999"}}), UsageError);
}

}  // namespace
}  // namespace dshn::ranks
