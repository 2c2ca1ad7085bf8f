#pragma once

namespace dshn::cli {

/// From here on, Ctrl-C, a hang-up and a polite kill end the program with one line and nothing half-written:
/// files in the making are removed, and the exit status is 128 + the signal's number. A pipe that nobody
/// reads any more is reported by write() instead of killing the program. To be called before any other thread
/// is started.
void take_over_signals();

/// For as long as one lives, the first such signal only asks the program to stop: work that can be taken up
/// again later ends it tidily. A second signal ends the program as always.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  bool requested() const;
};

}  // namespace dshn::cli
