#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dshn/train/load_model.hpp"

/// What a prediction rests on. Everything is measured on a score: the log-odds log(p / (1 - p)) of the class that is
/// predicted for the item, or of its most likely label; of a model of numbers, the predicted number. Something is
/// taken away, the model is run again, and the effect is by how much the score falls.
/// What to take away is chosen by the gradient, as there may be more than can be tried. Features stay as they are,
/// those that were made from the hypergraph too.
namespace dshn::train {

/// Something that was taken away.
struct Evidence {
  double effect = 0;    // below 0: it speaks against the predicted class, or for a smaller number
  double estimate = 0;  // the effect to first order, by the gradient
};

/// What would be predicted if roles were turned around.
struct Turned {
  double effect = 0;
  std::int64_t predicted = 0;  // the class, or the most likely label
  double value = 0;            // its probability, or the number
};

/// A hyperedge, all of its incidences gone.
struct HyperedgeEvidence : Evidence {
  Index edge = 0;
  /// The item's role, where it is a node and the hyperedge is directed, and what if it had the other one.
  std::optional<Role> role;
  std::optional<Turned> turned;
};

/// A member that has left a hyperedge.
struct MemberEvidence : Evidence {
  Index edge = 0;
  Index node = 0;
  Offset incidence = 0;  // position in the by-hyperedge view
  /// None where the hyperedge is undirected.
  std::optional<Role> role;
  /// Where the item is this hyperedge.
  std::optional<Turned> turned;
};

/// A feature set to 0: of the item or, where that is a hyperedge without such a column, of all its members.
struct FeatureEvidence : Evidence {
  Index column = 0;
  bool of_members = false;
  double value = 0;  // as the model is given it; the mean of the members
};

/// All that the item is in one role gone: a node has left those hyperedges, a hyperedge has lost those members.
struct RoleEvidence {
  std::optional<Role> role;  // none: in undirected hyperedges
  Index count = 0;
  double effect = 0;
};

/// The evidence of one kind whose effects are largest, up or down: what speaks most for the predicted class first.
template <typename T>
struct Findings {
  std::vector<T> strongest;
  std::size_t candidates = 0;
  std::size_t checked = 0;  // those of the largest estimate
  /// Spearman's rank correlation of effects and estimates of those that were checked; none where there are fewer
  /// than three or all are alike.
  std::optional<double> agreement;
};

/// What estimates are gradients of: factors of the maps of incidences, features of members (a member, and a
/// hyperedge, by the features it brings), or nothing, where a model has no gradient. Those of features are by these
/// always.
enum class EstimatedBy : std::uint8_t { maps, features, nothing };

struct Explanation {
  Index item = 0;
  std::int64_t predicted = 0;  // as in Turned
  double value = 0;            // as in Turned
  double score = 0;
  EstimatedBy estimated_by = EstimatedBy::nothing;
  /// Of a node its own hyperedges, of a hyperedge those that share a member with it.
  Findings<HyperedgeEvidence> hyperedges;
  /// Of a node those of its hyperedges, of a hyperedge its own.
  Findings<MemberEvidence> members;
  Findings<FeatureEvidence> features;
  std::vector<RoleEvidence> roles;
  /// All roles of the item turned around at once; none where it has no role.
  std::optional<Turned> reversed;
  /// For comparison: the mean size of the effect of hyperedges that are not among the candidates, drawn at random.
  double elsewhere = 0;
  std::size_t elsewhere_count = 0;
};

struct ExplainOptions {
  std::size_t top = 10;     // how many are kept of each kind
  std::size_t checks = 40;  // how many candidates of each kind are tried, and at least `top`
};

/// Explains what a trained model says of one node or hyperedge, whichever it classifies. The same bits for any number
/// of threads. UsageError where there is no such item, and where the model predicts several numbers.
Explanation explain(const LoadedModel& loaded, data::Task task, Index item,
                    const ExplainOptions& options = {});

}  // namespace dshn::train
