// inputs.json of a run folder.
#include <nlohmann/json.hpp>

#include "fuzz/target.hpp"
#include "train/run_inputs_json.hpp"

namespace dshn::fuzz::run_inputs {
namespace {

train::RunInputs small_inputs() {
  train::RunInputs inputs;
  inputs.data = "deals";
  inputs.digests = {"1a", "2b", "3c"};
  inputs.split_digests = {"4d"};
  inputs.code.class_names = {"no", "yes"};
  inputs.code.node_columns = {{"town", {"Oslo", "Rome"}, 0, true}, {"age", {}, 30.5, false}};
  inputs.stored_columns = 2;
  inputs.stored_names = {"town=Oslo", "age"};
  inputs.features.scale = data::FeatureScale{{0, 1.5}, {1, 2}};
  inputs.options = {{"lr", "0.01"}};
  inputs.places["data"] = {"elsewhere/deals", "../deals"};
  return inputs;
}

std::vector<std::string> valid() {
  train::RunInputs numbers = small_inputs();
  numbers.code.target = data::TargetKind::numbers;
  numbers.target_scales = {{{0.5}, {2}}};
  numbers.features.one_hot_columns = 3;
  numbers.features.scale = data::FeatureScale::none(2);
  return {train::to_json(small_inputs()).dump(1), train::to_json(numbers).dump()};
}

std::vector<std::string> malformed() {
  nlohmann::ordered_json document = train::to_json(small_inputs());
  document["features"]["columns"] = 1'000'000'000;
  const std::string many = document.dump();
  document["features"]["columns"] = 3;
  return {"", "{}", "[", document.dump(), many};
}

void read(std::string_view bytes) {
  const train::RunInputs inputs = train::inputs_from_json(std::string(bytes), "file");
  const std::string text = train::to_json(inputs).dump();
  require(train::to_json(train::inputs_from_json(text, "copy")).dump() == text,
          "what is written is read again");
}

}  // namespace

Target target() {
  return {"run_inputs", valid, malformed, read};
}

}  // namespace dshn::fuzz::run_inputs
