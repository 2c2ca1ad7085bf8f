#include "train/batches.hpp"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <numeric>

#include "dshn/base/error.hpp"
#include "dshn/base/parallel.hpp"
#include "dshn/base/random.hpp"
#include "dshn/models/sampled_input.hpp"
#include "dshn/parts/divide.hpp"

namespace dshn::train {
namespace {

constexpr const char* kClusters = "clusters";
constexpr const char* kBlocks = "blocks";

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

std::optional<Index> count_in(std::string_view text) {
  if (text == "all") return 0;
  Index count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1) return {};
  return count;
}

std::optional<Fanout> fanout_in(std::string_view text) {
  std::vector<Index> counts;
  for (const std::string_view part : split_at(text, ':')) {
    const auto count = count_in(part);
    if (!count) return {};
    counts.push_back(*count);
  }
  if (counts.size() == 1) return Fanout{counts[0], counts[0], counts[0]};
  if (counts.size() == 3) return Fanout{counts[0], counts[1], counts[2]};
  return {};
}

/// Of each layer; the last that is said holds for all that follow.
std::vector<Fanout> hops_of(const std::string& fanout, std::int64_t layers) {
  std::vector<Fanout> said;
  for (const std::string_view part : split_at(fanout, ',')) said.push_back(*fanout_in(part));
  std::vector<Fanout> hops;
  for (std::int64_t t = 0; t < layers; ++t)
    hops.push_back(said[std::min(static_cast<std::size_t>(t), said.size() - 1)]);
  return hops;
}

/// How far a model sees.
std::int64_t layers_of(const Settings& settings) {
  const Assignments options = settings.model_options().values();
  const auto layers = options.find("layers");
  return layers == options.end() ? 0 : std::stoll(layers->second);
}

std::uint64_t seed_of(const Random& random, std::uint64_t stream) {
  return random.fork(stream).bits();
}

}  // namespace

std::string fault_of_fanout(const std::string& value) {
  for (const std::string_view part : split_at(value, ',')) {
    if (!fanout_in(part))
      return "expected hyperedges:tails:heads, each a number or all, or one number for the three; of several "
             "layers with commas between, such as 10 or 10:5:5,5:2:2";
  }
  return {};
}

std::optional<BatchOptions> batch_options(const Settings& settings) {
  const Options training = settings.training();
  if (training.is("batch", "0")) return {};
  BatchOptions options;
  options.blocks = training.is("batch", kBlocks);
  if (options.blocks || training.is("batch", kClusters))
    options.clusters = static_cast<Index>(training.integer(kClusters));
  else
    options.size = static_cast<Index>(training.integer("batch"));
  options.exact_evaluation = training.is("evaluation", "exact");
  options.hops = hops_of(training.text("fanout"), layers_of(settings));
  return options;
}

void check_batches(const Experiment& experiment, const BatchOptions& options) {
  const std::string& name = experiment.settings.model;
  if (models::find_model(name).is_rule)
    throw UsageError(fmt::format("batch: {} is a rule, which is worked out at once; expected batch=0", name));
  if (const std::string why = experiment.new_model(0)->needs_whole(); !why.empty())
    throw UsageError(
        fmt::format("batch: {} is trained on all items at once, for {}; expected batch=0", name, why));
  if (experiment.device.is_cuda())
    throw UsageError("batch: samples are trained on by CPUs; expected the device cpu, or batch=0");
  if (options.clusters > 0 && experiment.dataset->task == data::Task::hyperedge_classification)
    throw UsageError(
        "batch: clusters and blocks are of nodes; expected a number of hyperedges, such as batch=512");
}

/// Samplers that are not at work.
class Batches::Pool {
 public:
  explicit Pool(const Hypergraph& whole) : whole_(whole) {}

  std::unique_ptr<Sampler> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Sampler> sampler = std::move(idle_.back());
        idle_.pop_back();
        return sampler;
      }
    }
    return std::make_unique<Sampler>(whole_);
  }
  void give_back(std::unique_ptr<Sampler> sampler) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(sampler));
  }

 private:
  const Hypergraph& whole_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Sampler>> idle_;
};

Batches::Batches(const Experiment& experiment, int split, const BatchOptions& options)
    : experiment_(experiment),
      split_(experiment.splits[static_cast<std::size_t>(split)]),
      options_(options),
      seed_(experiment.settings.seed * 6364136223846793005U + static_cast<std::uint64_t>(split)),
      pool_(std::make_unique<Pool>(experiment.dataset->hypergraph)) {
  if (!options_.hops.empty() && experiment.new_model(0)->degrees_have_maps())
    options_.hops.push_back({1, 1, 1});
  if (options_.clusters == 0) return;
  const Hypergraph& hypergraph = experiment.dataset->hypergraph;
  const parts::Partition partition =
      parts::divide(hypergraph, options_.clusters,
                    options_.blocks ? parts::Method::block : parts::Method::metis, experiment.settings.seed);
  clusters_.resize(static_cast<std::size_t>(partition.parts));
  const auto cluster_of = [&](Index v) -> Cluster& { return clusters_[partition.part_of_node[v]]; };
  for (Index v = 0; v < hypergraph.node_count(); ++v) cluster_of(v).nodes.push_back(v);
  for (const Index v : split_.train) cluster_of(v).items.push_back(v);
  std::erase_if(clusters_, [](const Cluster& cluster) { return cluster.nodes.empty(); });
}

Batches::~Batches() = default;

std::int64_t Batches::count() const {
  if (!clusters_.empty())
    return std::ranges::count_if(clusters_, [](const Cluster& cluster) { return !cluster.items.empty(); });
  return (static_cast<std::int64_t>(split_.train.size()) + options_.size - 1) / options_.size;
}

std::vector<Batches::Job> Batches::pieces(const std::vector<Index>& items, std::uint64_t seed) const {
  const std::size_t size = options_.size;
  const bool of_nodes = experiment_.dataset->task == data::Task::node_classification;
  const Random random(seed);
  std::vector<Job> jobs;
  for (std::size_t begin = 0; begin < items.size(); begin += size) {
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(begin + size, items.size()));
    std::vector<Index> piece(items.begin() + static_cast<std::ptrdiff_t>(begin), end);
    const std::uint64_t own = seed_of(random, jobs.size());
    Draw draw = [this, own, of_nodes](Sampler& sampler, const std::vector<Index>& around) {
      return of_nodes ? sampler.around_nodes(around, options_.hops, own)
                      : sampler.around_edges(around, options_.hops, own);
    };
    jobs.push_back({std::move(piece), std::move(draw)});
  }
  return jobs;
}

std::vector<Batches::Job> Batches::shuffled_items(int epoch) const {
  Random random = Random(seed_).fork(static_cast<std::uint64_t>(epoch));
  std::vector<Index> items = split_.train;
  random.shuffle(items);
  return pieces(items, random.bits());
}

std::vector<Batches::Job> Batches::shuffled_clusters(int epoch) const {
  std::vector<std::size_t> order(clusters_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = Random(seed_).fork(static_cast<std::uint64_t>(epoch));
  random.shuffle(order);
  std::vector<Job> jobs;
  for (const std::size_t c : order)
    if (!clusters_[c].items.empty()) jobs.push_back(cluster_job(clusters_[c], clusters_[c].items));
  return jobs;
}

Batches::Job Batches::cluster_job(const Cluster& cluster, const std::vector<Index>& items) {
  return {items, [&cluster](Sampler& sampler, const std::vector<Index>& /*items*/) {
            return sampler.among_nodes(cluster.nodes);
          }};
}

Batch Batches::made(const Job& job) const {
  std::unique_ptr<Sampler> sampler = pool_->take();
  const Sample sample = job.draw(*sampler, job.items);
  pool_->give_back(std::move(sampler));
  Batch batch;
  batch.items = job.items;
  batch.input = models::sampled_input(experiment_.input, sample);
  // A cluster is about more nodes than those that are trained on.
  const bool of_nodes = experiment_.dataset->task == data::Task::node_classification;
  const std::vector<Index>& there = of_nodes ? sample.nodes : sample.edges;
  std::vector<std::int64_t> places;
  for (const Index item : job.items)
    places.push_back(std::lower_bound(there.begin(), there.end(), item) - there.begin());
  batch.places = torch::tensor(places, torch::kLong);
  return batch;
}

void Batches::visit_all(std::vector<Job> jobs, const std::function<void(const Batch&)>& visit) const {
  const auto many = static_cast<std::size_t>(ahead());
  std::deque<std::future<Batch>> under_way;  // their destructors wait
  std::size_t next = 0;
  for (std::size_t done = 0; done < jobs.size(); ++done) {
    for (; next < jobs.size() && next < done + many; ++next)
      under_way.push_back(std::async(std::launch::async, [this, &job = jobs[next]] { return made(job); }));
    const Batch batch = under_way.front().get();
    under_way.pop_front();
    visit(batch);
  }
}

std::vector<Batches::Job> Batches::jobs_of_epoch(int epoch) const {
  return clusters_.empty() ? shuffled_items(epoch) : shuffled_clusters(epoch);
}

Batch Batches::first() const {
  return made(jobs_of_epoch(1).front());
}

std::int64_t Batches::ahead() {
  return std::max(2, thread_count());
}

double Batches::table_bytes() const {
  const Hypergraph& h = experiment_.dataset->hypergraph;
  const double each = 4.0 * h.node_count() + 4.0 * h.edge_count();  // see Sampler
  return each * static_cast<double>(ahead());
}

void Batches::for_training(int epoch, const std::function<void(const Batch&)>& visit) const {
  visit_all(jobs_of_epoch(epoch), visit);
}

void Batches::for_evaluation(const std::function<void(const Batch&)>& visit) const {
  std::vector<Job> jobs;
  for (const Cluster& cluster : clusters_) jobs.push_back(cluster_job(cluster, cluster.nodes));
  if (clusters_.empty()) {
    std::vector<Index> items(experiment_.dataset->item_count());
    std::iota(items.begin(), items.end(), 0);
    jobs = pieces(items, seed_);
  }
  visit_all(std::move(jobs), visit);
}

}  // namespace dshn::train
