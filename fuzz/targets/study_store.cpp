// study.sqlite of a study folder.
#include "dshn/base/error.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::study_store {
namespace {

std::vector<std::string> valid() {
  const std::filesystem::path file = scratch() / "seed.sqlite";
  std::filesystem::remove(file);
  tune::Store::create(file, tune::StudyRequest().to_text(), 2);
  {
    tune::Store store(file);
    const auto claim = store.claim([](const auto&, int) { return Assignments{{"q", "0"}}; });
    store.record(*claim, 0, 0.5, [](const auto&) { return tune::TrialState::completed; });
  }
  return {content_of(file)};
}

std::vector<std::string> malformed() {
  return {"x", "SQLite format 3", valid()[0].substr(0, 4096)};
}

void read(std::string_view bytes) {
  const std::filesystem::path file = file_with(bytes, "file.sqlite");
  for (const char* const beside : {"file.sqlite-wal", "file.sqlite-shm", "file.sqlite-journal"})
    std::filesystem::remove(scratch() / beside);
  try {
    if (!tune::Store::holds_study(file)) throw InvalidInput("no study");
    const tune::Store store(file);
    static_cast<void>(tune::StudyRequest::from_text(store.request()));
    static_cast<void>(store.goal());
    for (const tune::Trial& trial : store.trials()) static_cast<void>(trial.figure());
    static_cast<void>(store.all_finished());
  } catch (const Failure& refusal) {
    throw InvalidInput(refusal.what());  // SQLite cannot always tell damage from a disk that fails
  }
}

}  // namespace

Target target() {
  return {"study_store", valid, malformed, read};
}

}  // namespace dshn::fuzz::study_store
