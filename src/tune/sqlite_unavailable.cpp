// Stands in for sqlite.cpp in a build without SQLite.
#include "dshn/base/error.hpp"
#include "tune/database.hpp"

namespace dshn::tune {

std::unique_ptr<Database> open_sqlite(const std::filesystem::path& /*file*/, Opening /*opening*/) {
  throw Failure("this build has no studies in files: it was made without SQLite");
}

}  // namespace dshn::tune
