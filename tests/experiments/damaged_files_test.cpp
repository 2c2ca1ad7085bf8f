// Files that this program wrote, changed at random and read again: what comes of it is the same, or InvalidInput.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/base/random.hpp"
#include "dshn/experiments/cell_figures.hpp"
#include "dshn/experiments/picture.hpp"
#include "dshn/experiments/render.hpp"
#include "dshn/experiments/reproduction.hpp"
#include "dshn/io/safetensors.hpp"
#include "dshn/report/results.hpp"
#include "dshn/report/run_folder.hpp"
#include "dshn/report/study.hpp"
#include "dshn/train/experiment.hpp"
#include "dshn/train/predict.hpp"
#include "dshn/train/run_inputs.hpp"
#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr int kChangesOfEach = 80;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

std::size_t place_in(const std::string& text, Random& random) {
  return text.empty() ? 0 : static_cast<std::size_t>(random.below(text.size()));
}

/// A few bytes are others, more, fewer or twice there.
std::string with_other_bytes(std::string text, Random& random) {
  const std::size_t at = place_in(text, random);
  const auto length = static_cast<std::size_t>(1 + random.below(40));
  const std::uint64_t kind = random.below(6);
  if (kind == 0 && !text.empty()) text[at] = static_cast<char>(text[at] ^ (1U << random.below(8)));
  if (kind == 1 && !text.empty()) text[at] = static_cast<char>(random.below(256));
  if (kind == 2) text.resize(at);
  if (kind == 3) text.erase(at, length);
  if (kind == 4) text.insert(place_in(text, random), text.substr(at, length));
  if (kind == 5) text.insert(at, std::string(length, "[{\"0-e,"[random.below(7)]));
  return text;
}

/// One value of a JSON document is another, of any kind, or gone.
std::string with_another_value(const std::string& text, Random& random) {
  static const std::vector<std::string> others{"null",
                                               "true",
                                               "0",
                                               "-1",
                                               "1e17",
                                               "0.5",
                                               "2147483647",
                                               "18446744073709551615",
                                               "-9223372036854775808",
                                               "\"\"",
                                               "\"x\"",
                                               "[]",
                                               "[1]",
                                               "[[1,2],[3]]",
                                               "{}",
                                               "{\"mean\": 1}"};
  ordered_json document = ordered_json::parse(text);
  std::vector<std::string> places;
  const ordered_json flat = document.flatten();
  for (const auto& [place, value] : flat.items()) places.push_back(place);
  if (places.empty()) return text;
  ordered_json::json_pointer place(places[random.below(places.size())]);
  while (!place.empty() && random.below(3) == 0) place.pop_back();
  if (place.empty()) return others[random.below(others.size())];
  ordered_json& parent = document[place.parent_pointer()];
  if (random.below(4) == 0 && parent.is_object())
    parent.erase(place.back());
  else
    document[place] = ordered_json::parse(others[random.below(others.size())]);
  return document.dump(1);
}

std::string changed(const std::string& text, Random& random, bool json) {
  return json && random.below(3) > 0 ? with_another_value(text, random) : with_other_bytes(text, random);
}

/// A run, a study, a cell and the tables that are stored with the sources.
class DamagedFiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new TemporaryFolder;
    train::Settings settings;
    settings.data = "synthetic-generated-io10";
    settings.model = "hgnn";
    settings.splits = 2;
    settings.device = "cpu";
    settings.set = {{"epochs", "3"}, {"hidden_width", "4"}};
    experiment = new train::Experiment(settings);
    train::prepare_folder(settings, *folder / "run", false);
    train::run(*experiment, *folder / "run", {});
    tune::StudyRequest request;
    request.settings = settings;
    request.settings.splits = 1;
    request.settings.set = {{"epochs", "2"}};
    request.space = tune::search_space("hgnn", request.settings.set, {});
    fs::create_directories(*folder / "study");
    tune::Store::create(tune::database_file(*folder / "study"), request.to_text(), 2);
    tune::work(*folder / "study", nullptr);
    put(*folder / "study/study.json", tune::to_json(tune::Summary::read(*folder / "study"), "").dump(1));
    make_cell(recipe(*folder / "results"), cell(), nullptr);
    for (const char* name : {"synthetic", "charges", "cost"})
      fs::copy(fs::path(DSHN_SOURCE_DIR) / "docs/results" / (std::string(name) + ".json"),
               *folder / "results");
  }
  static void TearDownTestSuite() {
    delete experiment;
    delete folder;
  }

  static Recipe recipe(const fs::path& folder) {
    Recipe made;
    made.splits = 2;
    made.set = {{"epochs", "2"}};
    made.folder = folder;
    return made;
  }
  static Cell cell() {
    return {.data = "synthetic-generated-io10", .model = "components", .row = "Components", .column = "io10"};
  }

  /// Changes the file in a copy of everything, again and again, and lets it be read.
  static void expect_solid(const std::string& name, const std::function<void(const fs::path&)>& read) {
    const std::string whole = bytes_of(*folder / name);
    ASSERT_NE(whole, "") << name;
    Random random(17);
    int refused = 0;
    for (int i = 0; i < kChangesOfEach; ++i) {
      const TemporaryFolder copy;
      fs::copy(folder->path(), copy.path(),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
      const std::string other = changed(whole, random, fs::path(name).extension() == ".json");
      put(copy / name, other);
      try {
        read(copy.path());
      } catch (const InvalidInput& problem) {
        ++refused;
        EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos) << name;
      } catch (const std::exception& problem) {
        ADD_FAILURE() << name << ", change " << i << ": " << problem.what();
      }
    }
    EXPECT_GT(refused, 0) << name << ": no change was noticed";
  }

  static TemporaryFolder* folder;
  static train::Experiment* experiment;
};

TemporaryFolder* DamagedFiles::folder = nullptr;
train::Experiment* DamagedFiles::experiment = nullptr;

TEST_F(DamagedFiles, OfARunAreReadOrRefused) {
  expect_solid("run/result.json", [](const fs::path& at) { report::read_run(at / "run"); });
  expect_solid("run/metrics.jsonl", [](const fs::path& at) { report::read_run(at / "run"); });
  expect_solid("run/predictions.csv", [](const fs::path& at) { report::read_predictions(at / "run"); });
  expect_solid("run/config.toml", [](const fs::path& at) { train::read_run(at / "run"); });
  expect_solid("run/inputs.json", [](const fs::path& at) {
    train::read_run(at / "run");
    train::evaluate(*experiment, at / "run");
  });
}

TEST_F(DamagedFiles, OfASplitAreReadOrRefused) {
  expect_solid("run/split-01/metrics.jsonl",
               [](const fs::path& at) { train::evaluate(*experiment, at / "run"); });
  expect_solid("run/split-01/model.safetensors",
               [](const fs::path& at) { train::evaluate(*experiment, at / "run"); });
  expect_solid("run/split-01/state.safetensors",
               [](const fs::path& at) { train::run(*experiment, at / "run", {}); });
}

TEST_F(DamagedFiles, OfAStudyAreReadOrRefused) {
  expect_solid("study/study.json", [](const fs::path& at) {
    report::shown_study(report::read_study(at / "study"), at / "study");
  });
  expect_solid("study/study.sqlite",
               [](const fs::path& at) { tune::to_json(tune::Summary::read(at / "study"), ""); });
}

TEST_F(DamagedFiles, OfExperimentsAreReadOrRefused) {
  expect_solid("results/cells/synthetic-generated-io10/components.json", [](const fs::path& at) {
    Recipe stored = recipe(at / "results");
    stored.as_stored = true;
    ordered_json document{
        {"cells", ordered_json::array({stored_cell(stored, cell()).value_or(ordered_json())})}};
    for (const char* name : {"row", "column"}) document["cells"][0][name] = "x";
    page_markdown(document);
    missing_cells(recipe(at / "results"), {cell()});
  });
  for (const char* name : {"results/synthetic.json", "results/charges.json", "results/cost.json"}) {
    expect_solid(name, [&](const fs::path& at) {
      ordered_json table = report::read_results(at / name);
      if (table.contains("cells"))
        for (ordered_json& one : table["cells"]) one = with_figures(std::move(one));
      report::shown_results(table);
      page_of_file(at / name);
      difference_picture(differences_in(at / "results"));
    });
  }
}

// A file that somebody made on purpose has the digest that it should have.
TEST_F(DamagedFiles, ShapesOfStoredTensorsAreCheckedBeforeTheyAreUsed) {
  const fs::path state = *folder / "run/split-00/state.safetensors";
  const io::TensorFile whole = io::read_safetensors(state);
  for (const auto& [name, array] : whole.arrays) {
    for (const int kind : {0, 1, 2}) {
      const TemporaryFolder copy;
      fs::copy(folder->path(), copy.path(),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing);
      io::TensorFile other = whole;
      io::Array& changed = other.arrays[name];
      if (kind == 0) other.arrays.erase(name);
      if (kind == 1) changed = io::Array::of(std::vector<double>(6, 0.5), {3, 2});
      if (kind == 2) changed = io::Array::of(std::vector<std::int32_t>(changed.size(), 1), changed.shape);
      io::write_safetensors(copy / "run/split-00/state.safetensors", other);
      EXPECT_THROW(train::run(*experiment, copy / "run", {}), InvalidInput) << name << " " << kind;
    }
  }
}

TEST_F(DamagedFiles, ANumberOfClassesThatTheWeightsDoNotHaveIsRefused) {
  const TemporaryFolder copy;
  fs::copy(folder->path(), copy.path(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  const fs::path model = copy / "run/split-00/model.safetensors";
  io::TensorFile file = io::read_safetensors(model);
  ordered_json description = ordered_json::parse(file.metadata.at("run"));
  description["classes"] = 50'000'000;
  file.metadata["run"] = description.dump();
  io::write_safetensors(model, file);

  EXPECT_THROW(train::evaluate(*experiment, copy / "run"), InvalidInput);
}

}  // namespace
}  // namespace dshn::experiments
