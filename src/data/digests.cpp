#include "dshn/data/digests.hpp"

#include <array>
#include <bit>
#include <utility>

#include "dshn/base/digest.hpp"

namespace dshn::data {
namespace {

void add_names(Digest& digest, const Names& names) {
  digest.add(static_cast<std::uint64_t>(names.size()));
  for (std::int64_t i = 0; i < names.size(); ++i) {
    const Name name = names[i];
    digest.add(name.text).add(name.is_integer ? 1 : 0);
  }
}

std::string of_hypergraph(const Hypergraph& hypergraph) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(hypergraph.node_count()));
  digest.add(hypergraph.edge_ptr()).add(hypergraph.head_begin()).add(hypergraph.member_nodes());
  digest.add(hypergraph.edge_weights());
  // Not where there are none: a digest of earlier versions stays what it was.
  if (hypergraph.has_incidence_weights()) digest.add(hypergraph.incidence_weights());
  add_names(digest, hypergraph.node_names());
  add_names(digest, hypergraph.edge_names());
  return digest.text();
}

/// By the entries that are not 0, so that it does not matter how the numbers are stored.
void add_features(Digest& digest, const Features& features) {
  digest.add(static_cast<std::uint64_t>(features.rows())).add(static_cast<std::uint64_t>(features.cols()));
  const auto add = [&](Index row, Index col, float value) {
    if (value == 0) return;
    digest.add(static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(col));
    digest.add(std::bit_cast<std::uint32_t>(value));
  };
  for (Index row = 0; row < features.rows(); ++row) {
    if (!features.sparse()) {
      const std::size_t begin = static_cast<std::size_t>(row) * static_cast<std::size_t>(features.cols());
      for (Index col = 0; col < features.cols(); ++col) add(row, col, features.values()[begin + col]);
      continue;
    }
    for (Offset i = features.row_ptr()[row]; i < features.row_ptr()[row + 1]; ++i)
      add(row, features.columns()[i], features.values().empty() ? 1.0F : features.values()[i]);
  }
}

/// What a change of each is called, in the order in which they are looked at.
constexpr std::array<std::pair<const char*, const char*>, 4> kChanges{
    {{"hypergraph", "the hypergraph is another one"},
     {"features", "the features have changed"},
     {"labels", "the labels have changed"},
     {"splits", "the published splits have changed"}}};

Assignments by_name(const DataDigests& digests) {
  return {{"hypergraph", digests.hypergraph}, {"features", digests.features}, {"labels", digests.labels}};
}

}  // namespace

DataDigests digests_of(const Dataset& dataset) {
  Digest features;
  add_features(features, dataset.node_features);
  add_features(features, dataset.edge_features);
  Digest labels;
  labels.add(static_cast<std::uint64_t>(dataset.task)).add(std::span<const Index>(dataset.labels));
  for (const std::string& word : dataset.code.class_names) labels.add(word);
  if (dataset.code.target != TargetKind::classes) {
    labels.add(static_cast<std::uint64_t>(dataset.code.target));
    for (const double value : dataset.values) labels.add(std::bit_cast<std::uint64_t>(value));
  }
  return {of_hypergraph(dataset.hypergraph), features.text(), labels.text()};
}

std::string digest_of(const Split& split) {
  return Digest()
      .add(std::span<const Index>(split.train))
      .add(std::span<const Index>(split.val))
      .add(std::span<const Index>(split.test))
      .text();
}

Assignments named_digests(const Dataset& dataset) {
  if (dataset.generated) return {};
  Assignments named = by_name(digests_of(dataset));
  Digest splits;
  for (const Split& split : dataset.splits) splits.add(digest_of(split));
  named["splits"] = splits.text();
  return named;
}

std::string difference(const DataDigests& then, const DataDigests& now) {
  return difference(by_name(then), by_name(now));
}

std::string difference(const Assignments& then, const Assignments& now) {
  for (const auto& [name, words] : kChanges) {
    const auto before = then.find(name);
    const auto after = now.find(name);
    if (before != then.end() && after != now.end() && before->second != after->second) return words;
  }
  return "";
}

}  // namespace dshn::data
