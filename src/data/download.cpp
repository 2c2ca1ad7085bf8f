#include "data/download.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <thread>

#include "data/content_range.hpp"
#include "data/part_file.hpp"
#include "data/sha256.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::data {
namespace {

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

/// How one attempt ended. `again` says whether another one may help.
struct Outcome {
  bool done = false;
  bool again = false;
  std::string reason;
};

/// One attempt: the state that libcurl's callbacks share.
class Transfer {
 public:
  Transfer(const Download& file, const FetchOptions& options, const std::function<bool(std::int64_t)>& here,
           PartFile& part)
      : file_(file),
        options_(options),
        here_(here),
        part_(part),
        handle_(curl_easy_init(), &curl_easy_cleanup) {
    if (!handle_) throw Failure("libcurl cannot be started");
  }

  Outcome run() {
    set_up();
    const CURLcode code = curl_easy_perform(handle_.get());
    if (error_) std::rethrow_exception(error_);
    if (code == CURLE_ABORTED_BY_CALLBACK)
      throw Failure(fmt::format("{}: given up on request", file_.address));
    return judge(code);
  }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(handle_.get(), option, value) != CURLE_OK) {
      throw Failure(fmt::format("libcurl refuses option {}", static_cast<int>(option)));
    }
  }

  void set_up() {
    set(CURLOPT_URL, file_.address.c_str());
    set(CURLOPT_USERAGENT, "dshn");
    set(CURLOPT_ERRORBUFFER, message_);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 5L);
    set(CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options_.stall_timeout.count()));
    set(CURLOPT_WRITEFUNCTION, &on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_XFERINFOFUNCTION, &on_progress);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    // Not CURLOPT_RESUME_FROM: with that, libcurl fails on servers that answer with the whole file instead.
    const std::string range = fmt::format("{}-", part_.size());
    if (part_.size() > 0) set(CURLOPT_RANGE, range.c_str());
  }

  long status() const {
    long code = 0;
    curl_easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

  Outcome judge(CURLcode code) {
    const long http = status();
    if (too_long_) {
      part_.clear();
      return {false, false, fmt::format("the server sends more than the {} bytes expected", file_.bytes)};
    }
    if (wrong_range_ || http == 416) {
      part_.clear();
      return {false, true, "the server cannot resume at the place asked for"};
    }
    if (code == CURLE_HTTP_RETURNED_ERROR || (code == CURLE_OK && http != 200 && http != 206)) {
      const bool passing = http == 408 || http == 429 || http >= 500;
      return {false, passing, fmt::format("the server answers with HTTP status {}", http)};
    }
    if (code == CURLE_OPERATION_TIMEDOUT) return {false, true, "the server has stopped sending"};
    if (code == CURLE_OK || code == CURLE_PARTIAL_FILE) {
      if (part_.size() == file_.bytes) return {true, false, ""};
      return {false, true,
              fmt::format("the connection ended after {} of {} bytes", part_.size(), file_.bytes)};
    }
    const bool hopeless = code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_URL_MALFORMAT ||
                          code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_TOO_MANY_REDIRECTS;
    return {false, !hopeless, message_[0] != '\0' ? message_ : curl_easy_strerror(code)};
  }

  /// Decides, when the body begins, whether it continues the part or replaces it.
  bool begin_body() {
    begun_ = true;
    if (status() == 206 && range_start_ != part_.size()) wrong_range_ = true;
    if (status() == 200) part_.clear();
    return !wrong_range_;
  }

  std::size_t body(std::string_view bytes) {
    if (!begun_ && !begin_body()) return 0;
    if (part_.size() + static_cast<std::int64_t>(bytes.size()) > file_.bytes) {
      too_long_ = true;
      return 0;
    }
    part_.append(bytes);
    return bytes.size();
  }

  void header(std::string_view line) {
    if (const std::int64_t start = range_start(line); start >= 0) range_start_ = start;
  }

  /// Exceptions must not cross libcurl's C code: they wait here until it has returned.
  template <typename Action>
  auto guarded(decltype(std::declval<Action>()()) on_error, Action&& action) -> decltype(action()) {
    try {
      return action();
    } catch (...) {
      error_ = std::current_exception();
      return on_error;
    }
  }

  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    // libcurl takes any other number than size * count for an error.
    return transfer->guarded(std::size_t{0}, [&] { return transfer->body({data, size * count}); });
  }

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) {
    static_cast<Transfer*>(self)->header({data, size * count});
    return size * count;
  }

  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto* transfer = static_cast<Transfer*>(self);
    return transfer->guarded(1, [&] { return transfer->here_(transfer->part_.size()) ? 0 : 1; });
  }

  const Download& file_;
  const FetchOptions& options_;
  const std::function<bool(std::int64_t)>& here_;
  PartFile& part_;
  Handle handle_;
  char message_[CURL_ERROR_SIZE] = {};
  std::exception_ptr error_;
  std::int64_t range_start_ = -1;
  bool begun_ = false;
  bool too_long_ = false;
  bool wrong_range_ = false;
};

void start_libcurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw Failure(fmt::format("libcurl cannot be started: {}", curl_easy_strerror(code)));
}

/// Sleeps in short pieces, so that the user can give up meanwhile.
void wait(std::chrono::milliseconds delay, const Download& file, const PartFile& part,
          const std::function<bool(std::int64_t)>& here) {
  constexpr std::chrono::milliseconds kPiece{100};
  for (; delay.count() > 0; delay -= kPiece) {
    if (!here(part.size())) throw Failure(fmt::format("{}: given up on request", file.address));
    std::this_thread::sleep_for(std::min(delay, kPiece));
  }
}

/// Attempts until the part has all its bytes. Returns whether any of them stem from an earlier call.
bool bring(const Download& file, const FetchOptions& options, const std::function<bool(std::int64_t)>& here,
           PartFile& part) {
  if (part.size() > file.bytes) part.clear();
  const std::int64_t before = part.size();
  bool resumed = before > 0;
  for (int tries = 0; part.size() != file.bytes; ++tries) {
    const Outcome outcome = Transfer(file, options, here, part).run();
    if (outcome.done) break;
    resumed = resumed || part.size() > 0;
    if (!outcome.again || tries >= options.retries) {
      const std::string kept = part.size() > 0 ? "; what has arrived is kept, try again later" : "";
      throw Failure(fmt::format("{}: {} (after {} attempt{}){}", file.address, outcome.reason, tries + 1,
                                tries == 0 ? "" : "s", kept));
    }
    wait(options.retry_delay * (std::int64_t{1} << std::min(tries, 6)), file, part, here);
  }
  here(part.size());
  part.flush();
  return resumed;
}

}  // namespace

bool has_download() {
  return true;
}

void download(const Download& file, const FetchOptions& options,
              const std::function<bool(std::int64_t)>& here) {
  start_libcurl();
  PartFile part(file.part);
  for (int round = 0;; ++round) {
    const bool pieced = bring(file, options, here, part);
    const std::string found = sha256_of(file.part);
    if (found == file.sha256) return;
    part.clear();
    // A part pieced together from several answers may be wrong although the server is right: begin again
    // once.
    if (pieced && round == 0) continue;
    io::remove_tree(file.part);
    throw Failure(
        fmt::format("{}: the content is not what was published: SHA-256 is {}, expected {}; nothing was kept",
                    file.address, found, file.sha256));
  }
}

}  // namespace dshn::data
