#include <fcntl.h>
#include <sqlite3.h>

#include "dshn/io/file_system.hpp"
#include "tune/sqlite.hpp"

namespace dshn::tune {
namespace {

int open_file(const char* path, int flags, int mode) {
  const bool changes = (flags & O_CREAT) != 0;
  return changes ? io::disk::open(path, flags, static_cast<mode_t>(mode)) : ::open(path, flags, mode);
}

template <typename Function>
sqlite3_syscall_ptr as_call(Function* function) {
  return reinterpret_cast<sqlite3_syscall_ptr>(function);
}

}  // namespace

void let_sqlite_share_our_calls() {
  static const bool done = [] {
    sqlite3_vfs* const files = sqlite3_vfs_find("unix");
    if (files == nullptr || files->iVersion < 3) return false;
    files->xSetSystemCall(files, "open", as_call(open_file));
    files->xSetSystemCall(files, "write", as_call(io::disk::write));
    // One of the two is what it calls.
    files->xSetSystemCall(files, "pwrite", as_call(io::disk::write_at));
    files->xSetSystemCall(files, "pwrite64", as_call(io::disk::write_at));
    files->xSetSystemCall(files, "ftruncate", as_call(io::disk::truncate));
    files->xSetSystemCall(files, "unlink", as_call(io::disk::remove));
    return true;
  }();
  (void)done;
}

}  // namespace dshn::tune
