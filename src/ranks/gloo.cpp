// Groups on c10d's Gloo.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/torch.h>

#include <cstdlib>
#include <numeric>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/ranks/group.hpp"
#include "ranks/own_address.hpp"

namespace dshn::ranks {
namespace {

using Store = c10::intrusive_ptr<c10d::Store>;

/// What ranks write where they meet: that they have come, and that they miss another one.
constexpr const char* kCome = "come";
constexpr const char* kAllCome = "all-come";
constexpr const char* kOneMisses = "one-misses-another";

std::string misses_another(int rank) {
  return fmt::format("misses-another/{}", rank);
}

void write(c10d::Store& store, const std::string& key) {
  store.set(key, std::vector<std::uint8_t>{1});
}

/// Where messages come and go: the interface that PyTorch's variable names, else the one that leads to where ranks meet.
auto device_of(const Place& place) {
  const char* const name = std::getenv("GLOO_SOCKET_IFNAME");
  if (name != nullptr && *name != '\0') return c10d::ProcessGroupGloo::createDeviceForInterface(name);
  const std::string address = own_address(place.host, place.port);
  return address.empty() ? c10d::ProcessGroupGloo::createDefaultDevice()
                         : c10d::ProcessGroupGloo::createDeviceForHostname(address);
}

class GlooGroup : public Group {
 public:
  GlooGroup(const Place& place, Store store, const Patience& patience)
      : rank_(place.rank),
        size_(place.size),
        where_met_(place.opened_by_rank_0 ? "rank 0" : "the process where the ranks have met"),
        store_(std::move(store)) {
    meet(patience);
    const auto options = c10d::ProcessGroupGloo::Options::create(patience.for_messages);
    options->devices.push_back(device_of(place));
    options->threads = 2;
    watched([&] {
      group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, place.rank, place.size, options);
    });
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void sum(const at::Tensor& values) const override { reduce(values, c10d::ReduceOp::SUM); }
  void greatest(const at::Tensor& values) const override { reduce(values, c10d::ReduceOp::MAX); }

  Finish begin_exchange(const at::Tensor& rows, const std::vector<std::int64_t>& sent,
                        const std::vector<std::int64_t>& received) const override {
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape[0] = std::accumulate(received.begin(), received.end(), std::int64_t{0});
    at::Tensor in = at::empty(shape, rows.options());
    at::Tensor out = rows.contiguous();
    std::vector<std::int64_t> in_counts = received;
    std::vector<std::int64_t> out_counts = sent;
    c10::intrusive_ptr<c10d::Work> work;
    watched([&] { work = group_->alltoall_base(in, out, in_counts, out_counts); });
    return [this, work, in, out] {
      watched([&] { await(*work); });
      return in;
    };
  }

 private:
  void reduce(const at::Tensor& values, c10d::ReduceOp::RedOpType kind) const {
    c10d::AllreduceOptions options;
    options.reduceOp = kind;
    std::vector<at::Tensor> tensors{values};
    watched([&] { await(*group_->allreduce(tensors, options)); });
  }

  /// Not every rank waits for the one that is gone: those that wait for others learn of it where they have met.
  void await(c10d::Work& work) const {
    constexpr std::chrono::seconds kBetweenLooks{1};
    for (bool is_done = false; !is_done;) {
      try {
        is_done = work.wait(kBetweenLooks);
      } catch (const std::exception&) {
        if (work.isCompleted()) {
          work.wait();  // it was, or has just become so
          return;
        }
        if (store_->check({kOneMisses})) throw;
      }
    }
  }

  void meet(const Patience& patience) {
    try {
      if (store_->add(kCome, 1) == size_) write(*store_, kAllCome);
      store_->wait({kAllCome}, patience.to_meet);
    } catch (const std::exception&) {
      throw Lost(fmt::format("rank {} of {}: the others have not come", rank_, size_));
    }
    wait_for_store(patience.for_messages);
  }

  /// For how long one waits for its answers from now on: those of check, too, which has no timeout of its own.
  void wait_for_store(std::chrono::milliseconds timeout) const {
    store_->setTimeout(timeout);
    store_->wait({kAllCome}, timeout);
  }

  /// What c10d throws, as one of our errors.
  template <typename Work>
  void watched(const Work& work) const {
    try {
      work();
    } catch (const std::exception&) {
      throw Lost(fmt::format("{} gone, or silent for too long", missing()));
    }
  }

  /// Ranks that go on to miss others say so; those that do not are missed.
  std::string missing() const {
    std::vector<int> silent;
    try {
      wait_for_store(kForTheStore);
      write(*store_, misses_another(rank_));
      write(*store_, kOneMisses);
      const auto end = std::chrono::steady_clock::now() + kForTheStore;
      do {
        silent = silent_ranks();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      } while (!silent.empty() && std::chrono::steady_clock::now() < end);
    } catch (const std::exception&) {
      // A rank that has opened the store ends when it has seen enough, and this one has seen as much by then.
      if (silent.empty()) return where_met_ + " is";
    }
    if (silent.empty()) return "a rank is";
    return fmt::format("{} {} {}", silent.size() > 1 ? "ranks" : "rank", fmt::join(silent, ", "),
                       silent.size() > 1 ? "are" : "is");
  }

  std::vector<int> silent_ranks() const {
    std::vector<int> silent;
    for (int rank = 0; rank < size_; ++rank)
      if (!store_->check({misses_another(rank)})) silent.push_back(rank);
    return silent;
  }

  static constexpr std::chrono::milliseconds kForTheStore{5000};

  int rank_;
  int size_;
  std::string where_met_;
  Store store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

class TcpMeeting : public Meeting {
 public:
  TcpMeeting() {
    c10d::TCPStoreOptions options;
    options.port = 0;  // any that is free
    options.isServer = true;
    options.waitWorkers = false;
    store_ = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
  }
  int port() const override { return store_->getPort(); }

 private:
  c10::intrusive_ptr<c10d::TCPStore> store_;
};

}  // namespace

std::shared_ptr<const Group> Group::join(const Place& place, const Patience& patience) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.port);
  options.isServer = place.opened_by_rank_0 && place.rank == 0;
  options.waitWorkers = false;
  options.timeout = patience.to_meet;
  Store store;
  try {
    store = c10::make_intrusive<c10d::TCPStore>(place.host, options);
  } catch (const std::exception&) {
    throw Lost(fmt::format("rank {} of {}: cannot {} port {} of {}", place.rank, place.size,
                           options.isServer ? "open" : "reach", place.port, place.host));
  }
  return std::make_shared<GlooGroup>(place, store, patience);
}

std::vector<std::shared_ptr<const Group>> Group::in_threads(int size) {
  const Store store = c10::make_intrusive<c10d::HashStore>();
  std::vector<std::shared_ptr<const Group>> groups(size);
  // Each waits for the others while it is made.
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      groups[rank] = std::make_shared<GlooGroup>(Place{rank, size}, store, Patience{});
    });
  for (std::thread& thread : threads) thread.join();
  return groups;
}

std::unique_ptr<Meeting> Meeting::open() {
  return std::make_unique<TcpMeeting>();
}

}  // namespace dshn::ranks
