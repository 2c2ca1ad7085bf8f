// auto.json of a run folder.
#include <nlohmann/json.hpp>

#include "dshn/tune/auto_search.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::automatic_search {
namespace {

std::vector<std::string> valid() {
  tune::AutoRequest request;
  request.settings.data = "deals";
  request.settings.set = {{"epochs", "5"}};
  request.entrants = {{"hgnn", {{"lr", "0.1"}}, "p.toml"}};
  request.seconds = 90;
  tune::AutoBoard board;
  board.splits = 1;
  board.candidates.resize(2);
  board.candidates[0].model = "hgnn";
  board.candidates[0].trial.state = tune::TrialState::completed;
  board.candidates[0].trial.validation = {0.5, 0.75};
  board.candidates[1].trial.state = tune::TrialState::failed;
  board.candidates[1].trial.number = 1;
  board.candidates[1].trial.message = "diverged";
  return {tune::to_json(request, board).dump(1)};
}

std::vector<std::string> malformed() {
  return {"", "{}", "[", valid()[0].substr(0, 200)};
}

void read(std::string_view bytes) {
  const tune::AutoState state = tune::auto_from_json(std::string(bytes), "file");
  const std::string text = tune::to_json(state.request, state.board).dump();
  const tune::AutoState again = tune::auto_from_json(text, "copy");
  require(tune::to_json(again.request, again.board).dump() == text, "what is written is read again");
}

}  // namespace

Target target() {
  return {"automatic_search", valid, malformed, read};
}

}  // namespace dshn::fuzz::automatic_search
