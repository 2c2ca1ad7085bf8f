#include "sheaf/golden_case.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dshn::test {
namespace {

using Json = nlohmann::json;

void append_numbers(const Json& json, std::vector<double>& out) {
  if (json.is_array()) {
    for (const Json& item : json) append_numbers(item, out);
  } else {
    out.push_back(json.get<double>());
  }
}

/// Nested lists of numbers of a known shape.
at::Tensor tensor_of(const Json& json, at::IntArrayRef shape) {
  std::vector<double> values;
  append_numbers(json, values);
  return at::tensor(values, at::kDouble).reshape(shape);
}

at::Tensor complex_of(const Json& json, at::IntArrayRef shape) {
  return at::complex(tensor_of(json.at("re"), shape), tensor_of(json.at("im"), shape));
}

void read_hypergraph(const Json& json, GoldenCase& result) {
  std::vector<Index> edge;
  std::vector<Index> node;
  std::vector<Role> role;
  for (const Json& incidence : json.at("incidences")) {
    edge.push_back(incidence.at("edge"));
    node.push_back(incidence.at("node"));
    role.push_back(incidence.at("role") == "tail" ? Role::tail : Role::head);
  }
  const auto edges = static_cast<Index>(json.at("hyperedges").size());
  result.hypergraph = Hypergraph(static_cast<Index>(result.n), edges, {edge, node, role});
  std::map<std::pair<Index, Index>, std::int64_t> positions;
  for (Index e = 0; e < edges; ++e) {
    for (Offset i = result.hypergraph.edge_ptr()[e]; i < result.hypergraph.edge_ptr()[e + 1]; ++i) {
      positions[{e, result.hypergraph.member_nodes()[i]}] = i;
    }
  }
  for (std::size_t i = 0; i < edge.size(); ++i) result.position.push_back(positions.at({edge[i], node[i]}));
}

at::Tensor maps_in_file_order(const Json& list, const GoldenCase& golden, bool diagonal) {
  const auto count = static_cast<std::int64_t>(list.size());
  std::vector<std::int64_t> shape{count, golden.d};
  if (!diagonal) shape.push_back(golden.d);
  return tensor_of(list, shape);
}

void read_maps(const Json& json, GoldenCase& result) {
  Json list = Json::array();
  for (const Json& incidence : json.at("incidences")) list.push_back(incidence.at("F"));
  const bool diagonal = json.at("map_type") == "diag";
  const at::Tensor given = maps_in_file_order(list, result, diagonal);
  result.maps = at::empty_like(given);
  result.maps.index_copy_(0, at::tensor(result.position, at::kLong), given);
  result.grad_F = maps_in_file_order(json.at("expected").at("grad_F"), result, diagonal);
}

void read_expected(const Json& expected, GoldenCase& result) {
  const std::int64_t nd = result.n * result.d;
  result.rank = expected.at("rank_D_u").get<std::vector<std::int64_t>>();
  result.L = complex_of(expected.at("L"), {nd, nd});
  result.Q_N = complex_of(expected.at("Q_N"), {nd, nd});
  result.eigenvalues_L_N = tensor_of(expected.at("eigenvalues_L_N"), {nd});
  result.eigenvalues_I_minus_Q_N = tensor_of(expected.at("eigenvalues_I_minus_Q_N"), {nd});
  result.y = complex_of(expected.at("y"), {nd, result.f});
  result.energy = tensor_of(expected.at("dirichlet_energy"), {result.f});
  result.energy_unnormalized = tensor_of(expected.at("dirichlet_energy_unnormalized"), {result.f});
  result.value = expected.at("f");
  result.grad_F_undefined = expected.at("grad_F_undefined").get<std::vector<std::int64_t>>();
  result.grad_x = complex_of(expected.at("grad_x"), {nd, result.f});
  result.grad_q = expected.at("grad_q");
  if (expected.contains("duta_L")) {
    result.duta_L = tensor_of(expected.at("duta_L"), {nd, nd});
    result.duta_eigenvalues = tensor_of(expected.at("duta_eigenvalues"), {nd});
  }
}

}  // namespace

GoldenCase read_golden_case(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  const Json json = Json::parse(file);
  GoldenCase result;
  result.name = json.at("name");
  result.n = json.at("n");
  result.d = json.at("d");
  result.f = json.at("f");
  result.q = json.at("q");
  result.add_identity = json.value("add_identity", false);
  read_hypergraph(json, result);
  read_maps(json, result);
  result.x = complex_of(json.at("x"), {result.n * result.d, result.f});
  read_expected(json.at("expected"), result);
  return result;
}

std::filesystem::path golden_folder() {
  if (const char* folder = std::getenv("DSHN_GOLDEN_DIR")) return folder;
  return std::filesystem::path(DSHN_SOURCE_DIR) / "tests" / "golden";
}

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(golden_folder())) return files;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder())) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace dshn::test
