#include "dshn/train/rank_part.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "dshn/base/digest.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/json_shape.hpp"
#include "dshn/parts/cut.hpp"
#include "train/batches.hpp"
#include "train/run_inputs_json.hpp"

namespace dshn::train {
namespace {

using io::Shape;
using nlohmann::ordered_json;

Shape whole_shape() {
  return Shape::object({{"data", Shape::text()},
                        {"reading", Shape::map(Shape::text())},
                        {"seed", Shape::seed()},
                        {"splits", Shape::count()},
                        {"options", Shape::map(Shape::text())},
                        {"inputs", Shape::any()},
                        {"protocol", Shape::text()},
                        {"items", Shape::count()},
                        {"division", Shape::text()}});
}

std::string digest_of(const parts::Partition& partition) {
  return Digest()
      .add(static_cast<std::uint64_t>(partition.parts))
      .add(std::span<const std::int32_t>(partition.part_of_node))
      .text();
}

WholeOfParts whole_of(const Experiment& experiment, const parts::Partition& partition) {
  WholeOfParts whole;
  const Settings& settings = experiment.settings;
  whole.settings.data = settings.data;
  whole.settings.reading = settings.reading;
  whole.settings.seed = settings.seed;
  whole.settings.splits = static_cast<int>(experiment.splits.size());
  const Assignments all = settings.all_options();
  for (const std::string& name : options_of_parts()) whole.settings.set[name] = all.at(name);
  whole.inputs = inputs_of(experiment, ".");
  whole.protocol = experiment.protocol;
  whole.items = experiment.dataset->item_count();
  whole.division = digest_of(partition);
  return whole;
}

at::Tensor longs(const std::vector<Index>& values) {
  return at::tensor(std::vector<std::int64_t>(values.begin(), values.end()), at::kLong);
}

/// What has to be the same on all ranks, and the word for it.
std::vector<std::pair<const char*, std::string>> agreed_on(const WholeOfParts& whole,
                                                           const Settings& settings) {
  return {{"another version of the program", DSHN_VERSION},
          {"another model", settings.model},
          {"other options", fmt::format("{}", fmt::join(settings.all_options(), "\n"))},
          {"other data", fmt::format("{} {} {}", whole.inputs.digests.hypergraph,
                                     whole.inputs.digests.features, whole.inputs.digests.labels)},
          {"parts of another cut", whole.division + whole.text()}};
}

void check_agreement(const ranks::Group& group, const WholeOfParts& whole, const Settings& settings) {
  const auto subjects = agreed_on(whole, settings);
  const auto count = static_cast<std::int64_t>(subjects.size());
  const at::Tensor mine = at::empty({1, count}, at::kLong);
  for (std::int64_t i = 0; i < count; ++i)
    mine[0][i] = static_cast<std::int64_t>(std::stoull(
        Digest().add(std::string_view(subjects[static_cast<std::size_t>(i)].second)).text(), nullptr, 16));
  const std::vector<at::Tensor> all = group.all(mine);
  for (int rank = 1; rank < group.size(); ++rank) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (at::equal(all[0].select(1, i), all[static_cast<std::size_t>(rank)].select(1, i))) continue;
      throw InvalidInput(
          fmt::format("rank {} has {} than rank 0", rank, subjects[static_cast<std::size_t>(i)].first));
    }
  }
}

}  // namespace

const std::vector<std::string>& options_of_parts() {
  static const std::vector<std::string> names{"features", "scaling", "spectral_charge", "spectral_columns",
                                              "split"};
  return names;
}

std::string WholeOfParts::text() const {
  return ordered_json{{"data", settings.data},   {"reading", settings.reading},
                      {"seed", settings.seed},   {"splits", settings.splits},
                      {"options", settings.set}, {"inputs", to_json(inputs)},
                      {"protocol", protocol},    {"items", items},
                      {"division", division}}
      .dump();
}

WholeOfParts WholeOfParts::from_text(const std::string& text, const std::string& where) {
  static const Shape shape = whole_shape();
  const ordered_json document = io::parse_json(text, where, "a cut");
  if (const std::string fault = shape.fault(document); !fault.empty())
    throw InvalidInput(fmt::format("{}: {}", where, fault));
  WholeOfParts whole;
  whole.settings.data = document["data"].get<std::string>();
  whole.settings.reading = document["reading"].get<Assignments>();
  whole.settings.seed = document["seed"].get<std::uint64_t>();
  whole.settings.splits = document["splits"].get<int>();
  whole.settings.set = document["options"].get<Assignments>();
  whole.inputs = inputs_from_json(document["inputs"].dump(), where);
  whole.protocol = document["protocol"].get<std::string>();
  whole.items = document["items"].get<std::int64_t>();
  whole.division = document["division"].get<std::string>();
  return whole;
}

ExperimentParts cut(const Experiment& experiment, const parts::Partition& partition) {
  data::Dataset dataset = *experiment.dataset;
  dataset.node_features = data::choose_features(dataset, experiment.features);
  dataset.node_feature_names.clear();
  dataset.splits = experiment.splits;
  return {parts::cut(dataset, partition), whole_of(experiment, partition)};
}

void check_trains_on_ranks(const Settings& settings) {
  const std::string& model = settings.model;
  if (models::find_model(model).is_rule)
    throw UsageError(fmt::format("{} is a rule, which is worked out at once: train it without ranks", model));
  if (batch_options(settings)) throw UsageError("batch: ranks train on all items at once; expected batch=0");
}

Settings settings_on_parts(Settings asked, const WholeOfParts& whole) {
  check_trains_on_ranks(asked);
  const Settings& settled = whole.settings;
  const auto refuse = [](const std::string& name, const auto& wanted, const auto& there) {
    if (wanted == there) return;
    throw UsageError(
        fmt::format("{} {}: the parts were cut with {}; cut the data again", name, wanted, there));
  };
  for (const auto& [name, value] : settled.set) {
    if (const auto found = asked.set.find(name); found != asked.set.end())
      refuse("option " + name, found->second, value);
    asked.set[name] = value;
  }
  if (asked.splits != 0) refuse("splits", asked.splits, settled.splits);
  if (asked.seed != 0) refuse("seed", asked.seed, settled.seed);
  asked.data = settled.data;
  asked.reading = settled.reading;
  asked.splits = settled.splits;
  asked.seed = settled.seed;
  return asked;
}

at::Tensor RankPart::whole_rows(const at::Tensor& rows) const {
  const at::Tensor numbers = group->gathered(items.index_select(0, own));
  const at::Tensor gathered = group->gathered(rows.index_select(0, own));
  if (!gathered.defined()) return {};
  std::vector<std::int64_t> shape = rows.sizes().vec();
  shape[0] = whole.items;
  return at::empty(shape, rows.options()).index_copy_(0, numbers, gathered);
}

at::Tensor RankPart::rows_here(const at::Tensor& whole_rows) const {
  return whole_rows.index_select(0, items);
}

double RankPart::sum(double value) const {
  const at::Tensor sum = at::full({1}, value, at::kDouble);
  group->sum(sum);
  return sum.item<double>();
}

std::unique_ptr<Figures> RankPart::together(std::unique_ptr<Figures> empty, const Figures& mine) const {
  const std::vector<double> counts = mine.counts();
  for (const at::Tensor& of_rank : group->all(at::tensor(counts, at::kDouble))) {
    const auto* const begin = of_rank.data_ptr<double>();
    empty->add_counts({begin, begin + of_rank.numel()});
  }
  return empty;
}

bool writes_files(const Experiment& experiment) {
  return !experiment.part || experiment.part->group->rank() == 0;
}

Experiment experiment_on_part(parts::Part part, const WholeOfParts& whole, const Settings& settings,
                              std::shared_ptr<const ranks::Group> group) {
  check_agreement(*group, whole, settings);
  auto mine = std::make_shared<RankPart>();
  const bool of_nodes = part.dataset.task == data::Task::node_classification;
  mine->plan = std::move(part.plan);
  mine->whole = whole;
  mine->items = longs(of_nodes ? mine->plan.nodes : mine->plan.edges);
  mine->own = of_nodes ? at::arange(mine->items.size(0))
                       : longs({mine->plan.owned.begin(), mine->plan.owned.end()}).nonzero().view({-1});
  mine->group = std::move(group);
  return Experiment(std::make_shared<const data::Dataset>(std::move(part.dataset)), settings, mine);
}

}  // namespace dshn::train
