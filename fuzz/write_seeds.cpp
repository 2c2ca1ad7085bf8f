// Writes what fuzzing begins with: FOLDER/TARGET/valid-N and malformed-N.
#include <cstdio>
#include <exception>
#include <fstream>

#include "fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;

void write(const fs::path& folder, const char* kind, const std::vector<std::string>& seeds) {
  for (std::size_t i = 0; i < seeds.size(); ++i)
    std::ofstream(folder / (kind + std::to_string(i)), std::ios::binary) << seeds[i];
}

}  // namespace

int main(int count, char** words) try {
  if (count != 2) {
    std::fputs("usage: fuzz_write_seeds FOLDER\n", stderr);
    return 2;
  }
  for (const dshn::fuzz::Target& target : dshn::fuzz::targets()) {
    const fs::path folder = fs::path(words[1]) / target.name;
    fs::create_directories(folder);
    write(folder, "valid-", target.valid());
    write(folder, "malformed-", target.malformed());
  }
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
