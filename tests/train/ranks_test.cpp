// Training on several ranks gives what training in one process gives. The ranks are threads here; processes are in
// tests/cli/ranks_test.cpp.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "dshn/base/random.hpp"
#include "dshn/hypergraph/generators.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/parts/divide.hpp"
#include "dshn/train/cost_model.hpp"
#include "dshn/train/rank_part.hpp"
#include "dshn/train/run.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::train {
namespace {

std::shared_ptr<const data::Dataset> made_here(data::TargetKind kind) {
  SyntheticOptions options;
  options.seed = 3;
  options.nodes = 120;
  options.classes = 3;
  LabelledHypergraph made = synthetic_benchmark(options);
  data::Dataset dataset;
  dataset.name = "made here";
  dataset.hypergraph = made.hypergraph;
  dataset.class_count = options.classes;
  dataset.code.target = kind;
  Random random(5);
  if (kind == data::TargetKind::classes) dataset.labels = std::move(made.labels);
  for (std::size_t i = 0; kind != data::TargetKind::classes && i < made.labels.size() * 3; ++i)
    dataset.values.push_back(kind == data::TargetKind::numbers ? random.normal()
                                                               : static_cast<double>(random.below(2)));
  return std::make_shared<const data::Dataset>(std::move(dataset));
}

Settings settings_of(const std::string& model, Assignments set = {}) {
  Settings settings;
  settings.model = model;
  settings.splits = 1;
  settings.device = "cpu";
  settings.set = std::move(set);
  settings.set.insert({{"epochs", "4"}, {"precision", "float64"}, {"patience", "100"}});
  return settings;
}

/// What a training was, epoch by epoch and at its end.
struct Course {
  std::vector<EpochRecord> epochs;
  RunResult result;
};

Course trained(const Experiment& experiment, const std::filesystem::path& folder = {}) {
  Course course;
  SplitHooks hooks;
  hooks.on_epoch = [&](const EpochRecord& record) { course.epochs.push_back(record); };
  course.result = run(experiment, folder, hooks);
  return course;
}

parts::Partition at_random(const Hypergraph& hypergraph, int count) {
  Random random(11);
  parts::Partition partition{count, {}};
  for (Index v = 0; v < hypergraph.node_count(); ++v)
    partition.part_of_node.push_back(
        static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(count))));
  return partition;
}

/// Of each rank; what one throws is thrown here.
std::vector<Course> trained_on_ranks(const Experiment& experiment, int ranks,
                                     const std::filesystem::path& folder = {}) {
  const ExperimentParts all = cut(experiment, at_random(experiment.dataset->hypergraph, ranks));
  const auto groups = ranks::Group::in_threads(ranks);
  std::vector<Course> courses(static_cast<std::size_t>(ranks));
  std::vector<std::exception_ptr> errors(courses.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < courses.size(); ++rank) {
    threads.emplace_back([&, rank] {
      try {
        courses[rank] =
            trained(experiment_on_part(all.parts[rank], all.whole,
                                       settings_on_parts(experiment.settings, all.whole), groups[rank]),
                    folder);
      } catch (...) {
        errors[rank] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return courses;
}

void expect_the_same(const Course& ranks, const Course& alone) {
  ASSERT_EQ(ranks.epochs.size(), alone.epochs.size());
  for (std::size_t i = 0; i < alone.epochs.size(); ++i) {
    EXPECT_NEAR(ranks.epochs[i].loss, alone.epochs[i].loss, 1e-9 * std::abs(alone.epochs[i].loss));
    EXPECT_NEAR(ranks.epochs[i].val_loss, alone.epochs[i].val_loss,
                1e-9 * std::abs(alone.epochs[i].val_loss));
    EXPECT_NEAR(ranks.epochs[i].train, alone.epochs[i].train, 1e-9);
    EXPECT_NEAR(ranks.epochs[i].val, alone.epochs[i].val, 1e-9);
  }
  EXPECT_NEAR(ranks.result.test.mean, alone.result.test.mean, 1e-9);
}

TEST(Ranks, TrainEveryModelAsOneProcessDoes) {
  for (const models::ModelEntry& entry : models::all_models()) {
    if (entry.is_rule) continue;
    SCOPED_TRACE(entry.name);
    const Experiment experiment(made_here(data::TargetKind::classes), settings_of(entry.name));
    const Course alone = trained(experiment);
    for (const int count : {1, 3}) {
      SCOPED_TRACE(count);
      for (const Course& course : trained_on_ranks(experiment, count)) expect_the_same(course, alone);
    }
  }
}

TEST(Ranks, SendWhatIsPlannedForEveryModel) {
  for (const models::ModelEntry& entry : models::all_models()) {
    if (entry.is_rule) continue;
    SCOPED_TRACE(entry.name);
    const Experiment experiment(made_here(data::TargetKind::classes), settings_of(entry.name));
    const Hypergraph& hypergraph = experiment.dataset->hypergraph;
    const auto cut = static_cast<double>(parts::measure(hypergraph, at_random(hypergraph, 3)).traffic);
    ASSERT_GT(cut, 100);

    const Extent whole{static_cast<double>(hypergraph.node_count()),
                       static_cast<double>(hypergraph.edge_count()),
                       static_cast<double>(hypergraph.incidence_count())};
    const RankCost cost = rank_cost(experiment, whole, {.cut = cut}, 3);
    const std::optional<ranks::Traffic> sent =
        trained_on_ranks(experiment, 3).front().result.splits.front().epoch_traffic;

    ASSERT_TRUE(sent.has_value());
    EXPECT_EQ(static_cast<double>(sent->bytes), cost.bytes_of_cut * cut);
    EXPECT_EQ(static_cast<double>(sent->exchanges), cost.exchanges);
    EXPECT_GE(static_cast<double>(sent->widest), cost.widest_row);  // or in the preparation
  }
}

TEST(Ranks, KnowEveryKindOfTargetAndWeight) {
  for (const data::TargetKind kind :
       {data::TargetKind::classes, data::TargetKind::numbers, data::TargetKind::labels}) {
    Assignments set;
    if (kind != data::TargetKind::numbers) set["class_weights"] = "true";
    SCOPED_TRACE(data::target_kind_name(kind));
    const Experiment experiment(made_here(kind), settings_of("hgnn", set));
    const Course alone = trained(experiment);
    for (const Course& course : trained_on_ranks(experiment, 4)) expect_the_same(course, alone);
  }
}

TEST(Ranks, LeaveTheRunFolderOfOneProcess) {
  const TemporaryFolder folder;
  const Experiment experiment(made_here(data::TargetKind::classes), settings_of("hgnn"));
  trained(experiment, folder / "alone");

  trained_on_ranks(experiment, 3, folder / "ranks");

  for (const char* file : {io::kInputsFile, io::kPredictionsFile})
    EXPECT_EQ(io::read_file(folder / "ranks" / file), io::read_file(folder / "alone" / file)) << file;
  EXPECT_TRUE(std::filesystem::exists(folder / "ranks" / io::kResultFile));
  EXPECT_TRUE(std::filesystem::exists(io::split_folder(folder / "ranks", 0) / io::kModelFile));
}

TEST(Ranks, GoOnWithTheCheckpointOfAnotherNumberOfRanks) {
  const TemporaryFolder folder;
  Settings half = settings_of("dshn", {{"hidden_width", "8"}});
  half.set["epochs"] = "6";
  const Experiment experiment(made_here(data::TargetKind::classes), half);
  const Course alone = trained(experiment);
  // Stopped after the third epoch, in one process.
  SplitHooks hooks;
  int epochs = 0;
  hooks.on_epoch = [&](const EpochRecord& /*record*/) { ++epochs; };
  hooks.should_stop = [&] { return epochs == 3; };
  EXPECT_THROW(run(experiment, folder / "run", hooks), Interrupted);

  const std::vector<Course> courses = trained_on_ranks(experiment, 2, folder / "run");

  ASSERT_EQ(courses[0].epochs.size(), 3U);
  EXPECT_EQ(courses[0].epochs[0].epoch, 4);
  EXPECT_NEAR(courses[0].epochs[2].loss, alone.epochs[5].loss, 1e-9);
  EXPECT_NEAR(courses[1].result.test.mean, alone.result.test.mean, 1e-9);
}

TEST(Ranks, GiveTheSameBitsInEveryRun) {
  const Experiment experiment(made_here(data::TargetKind::classes),
                              settings_of("dshn", {{"hidden_width", "8"}}));
  const std::vector<Course> first = trained_on_ranks(experiment, 3);
  const std::vector<Course> second = trained_on_ranks(experiment, 3);
  for (std::size_t i = 0; i < first[0].epochs.size(); ++i) {
    EXPECT_EQ(first[0].epochs[i].loss, second[0].epochs[i].loss);
    EXPECT_EQ(first[0].epochs[i].loss, first[2].epochs[i].loss);
  }
  for (std::size_t rank = 0; rank < 3; ++rank)
    EXPECT_TRUE(
        at::equal(first[rank].result.splits[0].predictions, second[rank].result.splits[0].predictions));
}

TEST(Ranks, RefuseWhatDoesNotBelongTogether) {
  const Experiment experiment(made_here(data::TargetKind::classes), settings_of("hgnn"));
  const ExperimentParts one = cut(experiment, at_random(experiment.dataset->hypergraph, 2));
  parts::Partition other = at_random(experiment.dataset->hypergraph, 2);
  other.part_of_node[0] = 1 - other.part_of_node[0];
  const ExperimentParts two = cut(experiment, other);
  const auto line_of = [&](int of_other_cut, Settings settings) {
    const auto groups = ranks::Group::in_threads(2);
    std::vector<std::string> lines(2);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < 2; ++rank) {
      threads.emplace_back([&, rank] {
        const ExperimentParts& mine = rank == of_other_cut ? two : one;
        try {
          experiment_on_part(mine.parts[rank], mine.whole, rank == 1 ? settings : experiment.settings,
                             groups[rank]);
        } catch (const InvalidInput& error) {
          lines[rank] = error.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(lines[0], lines[1]);
    return lines[0];
  };

  EXPECT_EQ(line_of(1, experiment.settings), "rank 1 has parts of another cut than rank 0");
  Settings faster = experiment.settings;
  faster.set["lr"] = "0.5";
  EXPECT_EQ(line_of(-1, faster), "rank 1 has other options than rank 0");
  EXPECT_EQ(line_of(-1, settings_of("hnhn")), "rank 1 has another model than rank 0");
}

TEST(Ranks, RefuseRulesAndOptionsThatTheCutHasSettled) {
  const Experiment experiment(made_here(data::TargetKind::classes), settings_of("hgnn"));
  const WholeOfParts whole = cut(experiment, at_random(experiment.dataset->hypergraph, 2)).whole;
  Settings other = experiment.settings;
  other.set["features"] = "constant";
  EXPECT_THROW(settings_on_parts(other, whole), UsageError);
  other = experiment.settings;
  other.seed = 7;
  EXPECT_THROW(settings_on_parts(other, whole), UsageError);
  EXPECT_THROW(settings_on_parts(settings_of("majority"), whole), UsageError);
}

TEST(WholeOfParts, IsReadFromItsText) {
  const Experiment experiment(made_here(data::TargetKind::numbers), settings_of("hgnn"));
  const WholeOfParts whole = cut(experiment, at_random(experiment.dataset->hypergraph, 2)).whole;
  EXPECT_EQ(WholeOfParts::from_text(whole.text(), "here").text(), whole.text());
  EXPECT_THROW(WholeOfParts::from_text("{}", "here"), InvalidInput);
  EXPECT_THROW(WholeOfParts::from_text("[[", "here"), InvalidInput);
}

}  // namespace
}  // namespace dshn::train
