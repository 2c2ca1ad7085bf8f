#include "dshn/ranks/place.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "dshn/base/error.hpp"

namespace dshn::ranks {
namespace {

using Variables = std::function<const char*(const char*)>;

/// What a launcher calls the number of a process and how many there are.
struct Launcher {
  const char* rank;
  const char* size;
};

/// torchrun, Open MPI, MPICH and Intel MPI, Slurm's srun. Of Slurm the size of the step: a plain process in an
/// allocation is told the size of the job too.
constexpr Launcher kLaunchers[] = {{"RANK", "WORLD_SIZE"},
                                   {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
constexpr int kUsualPort = 29500;  // PyTorch's

int number(const char* name, const char* text, int least, int most) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, problem] = std::from_chars(text, end, value);
  if (problem != std::errc() || stop != end || value < least || value > most)
    throw UsageError(fmt::format("{}={}: expected a whole number from {} to {}", name, text, least, most));
  return value;
}

/// The first host of a list such as "gpu[07-09,12],cpu1": gpu07.
std::string first_host(const std::string& list) {
  const std::size_t end = list.find_first_of("[,");
  if (end == std::string::npos || list[end] == ',') return list.substr(0, end);
  const std::size_t stop = list.find_first_of("-,]", end);
  return list.substr(0, end) + list.substr(end + 1, stop - end - 1);
}

}  // namespace

std::optional<Place> place_of(const Variables& variable) {
  constexpr int kMostRanks = 1 << 20;
  const auto value = [&](const char* name) {
    const char* const text = variable(name);
    return text != nullptr && *text != '\0' ? text : nullptr;
  };
  for (const Launcher& launcher : kLaunchers) {
    const char* const rank = value(launcher.rank);
    const char* const size = value(launcher.size);
    if (rank == nullptr || size == nullptr) continue;
    Place place;
    place.size = number(launcher.size, size, 1, kMostRanks);
    place.rank = number(launcher.rank, rank, 0, place.size - 1);
    if (place.size == 1) return std::nullopt;
    if (const char* const hosts = value("SLURM_STEP_NODELIST")) place.host = first_host(hosts);
    if (const char* const host = value("MASTER_ADDR")) place.host = host;
    const char* const port = value("MASTER_PORT");
    place.port = port != nullptr ? number("MASTER_PORT", port, 1, 65535) : kUsualPort;
    const char* const agent = value("TORCHELASTIC_USE_AGENT_STORE");
    place.opened_by_rank_0 = agent == nullptr || std::strcmp(agent, "True") != 0;
    return place;
  }
  return std::nullopt;
}

}  // namespace dshn::ranks
