#include "data/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "dshn/base/error.hpp"

namespace dshn::data {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

void must_work(bool ok) {
  if (!ok) throw Failure("OpenSSL cannot compute SHA-256 on this system");
}

std::string hex(const unsigned char* bytes, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += fmt::format("{:02x}", bytes[i]);
  return out;
}

}  // namespace

bool has_sha256() {
  return true;
}

std::string sha256_of(const std::filesystem::path& path) {
  const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw Failure(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  must_work(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  std::vector<unsigned char> block(kBlock);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    must_work(EVP_DigestUpdate(context.get(), block.data(), count) == 1);
  }
  if (std::ferror(file.get()) != 0) {
    throw Failure(fmt::format("{}: cannot be read to its end: {}", path.string(), std::strerror(errno)));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  must_work(EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1);
  return hex(digest.data(), size);
}

}  // namespace dshn::data
