#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dshn/io/hif.hpp"
#include "io/byte_stream.hpp"
#include "io/hif_attributes.hpp"
#include "io/id_table.hpp"

namespace dshn::io {

/// What a HIF file says, before it is decided what that means: the network's type may stand behind the
/// incidences it is about. Items have the provisional numbers of their IdTable.
struct HifDocument {
  enum class Type : std::uint8_t { missing, undirected, directed, complex };
  /// The role of an incidence without a direction.
  static constexpr Role kNoRole = static_cast<Role>(2);

  struct Items {
    explicit Items(const AttributeChoice& choice) : attributes(choice) {}

    IdTable ids;
    std::vector<Index> listed;
    HifAttributes attributes;
  };

  explicit HifDocument(const LoadOptions& options)
      : nodes(options.node_attributes), edges(options.edge_attributes) {}

  std::string name;  // of the file
  std::string format;
  std::string metadata;
  Type type = Type::missing;

  Items nodes;
  Items edges;
  std::vector<std::pair<Index, double>> edge_weights;
  std::vector<Index> undirected_edges;

  std::vector<Index> edge;  // the incidences
  std::vector<Index> node;
  std::vector<Role> role;
  std::vector<double> weight;  // of the incidences; empty, or shorter, where the others weigh 1
  std::int64_t first_without_role = -1;
  std::int64_t first_without_role_byte = -1;

  // What deserves a warning.
  bool type_by_hgx_key = false;
  bool metadata_too_long = false;
  std::int64_t node_weights = 0;
  std::int64_t incidence_weights = 0;
  std::int64_t incidence_attributes = 0;
  std::int64_t nil_values = 0;
  std::int64_t weights_from_attributes = 0;
  std::map<std::string, std::int64_t> unknown_keys;
};

HifDocument parse_hif(ByteReader& bytes, const LoadOptions& options);

/// As in hif.hpp, from bytes that need not be a file.
Loaded read_hif(ByteReader& bytes, const LoadOptions& options = {});
std::vector<HifViolation> validate_hif(ByteReader& bytes, const Progress& progress = {});

}  // namespace dshn::io
