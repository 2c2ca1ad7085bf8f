#include "zoltan_parts.hpp"

#include <mpi.h>
#include <zoltan.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "dshn/base/error.hpp"

namespace dshn::bench {
namespace {

const Hypergraph& hypergraph_in(void* data) {
  return *static_cast<const Hypergraph*>(data);
}

int count_nodes(void* data, int* error) {
  *error = ZOLTAN_OK;
  return hypergraph_in(data).node_count();
}

/// A node weighs as many incidences as it has, at least 1: as parts::divide has it.
void list_nodes(void* data, int /*id_size*/, int /*local_size*/, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR /*local*/,
                int /*weight_count*/, float* weights, int* error) {
  const Hypergraph& h = hypergraph_in(data);
  for (Index v = 0; v < h.node_count(); ++v) {
    ids[v] = static_cast<ZOLTAN_ID_TYPE>(v);
    weights[v] = static_cast<float>(std::max<Offset>(h.degree(v), 1));
  }
  *error = ZOLTAN_OK;
}

void count_members(void* data, int* lists, int* members, int* format, int* error) {
  const Hypergraph& h = hypergraph_in(data);
  *lists = h.edge_count();
  *members = static_cast<int>(h.incidence_count());
  *format = ZOLTAN_COMPRESSED_EDGE;
  *error = ZOLTAN_OK;
}

void list_members(void* data, int /*id_size*/, int lists, int members, int /*format*/, ZOLTAN_ID_PTR edges,
                  int* begins, ZOLTAN_ID_PTR nodes, int* error) {
  const Hypergraph& h = hypergraph_in(data);
  for (Index e = 0; e < lists; ++e) {
    edges[e] = static_cast<ZOLTAN_ID_TYPE>(e);
    begins[e] = static_cast<int>(h.edge_ptr()[e]);
  }
  for (int i = 0; i < members; ++i) nodes[i] = static_cast<ZOLTAN_ID_TYPE>(h.member_nodes()[i]);
  *error = ZOLTAN_OK;
}

/// MPI, once begun, lasts as long as the process.
void begin_once() {
  static const bool begun = [] {
    float version = 0;
    if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS || Zoltan_Initialize(0, nullptr, &version) != ZOLTAN_OK)
      throw Failure("zoltan: MPI does not start");
    std::atexit([] { MPI_Finalize(); });
    return true;
  }();
  static_cast<void>(begun);
}

/// What Zoltan gives out, until this ends.
struct Moves {
  int count = 0;
  ZOLTAN_ID_PTR ids = nullptr;
  ZOLTAN_ID_PTR local = nullptr;
  int* processes = nullptr;
  int* parts = nullptr;

  Moves() = default;
  ~Moves() { Zoltan_LB_Free_Part(&ids, &local, &processes, &parts); }
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;
};

}  // namespace

bool has_zoltan() {
  return true;
}

parts::Partition parts_by_zoltan(const Hypergraph& hypergraph, int parts, std::uint64_t seed) {
  begin_once();
  const auto destroy = [](Zoltan_Struct* zoltan) { Zoltan_Destroy(&zoltan); };
  const std::unique_ptr<Zoltan_Struct, decltype(destroy)> zoltan(Zoltan_Create(MPI_COMM_WORLD), destroy);
  if (!zoltan) throw Failure("zoltan: does not start");
  const std::pair<const char*, std::string> parameters[] = {{"DEBUG_LEVEL", "0"},
                                                            {"LB_METHOD", "HYPERGRAPH"},
                                                            {"HYPERGRAPH_PACKAGE", "PHG"},
                                                            {"LB_APPROACH", "PARTITION"},
                                                            {"NUM_GLOBAL_PARTS", std::to_string(parts)},
                                                            {"IMBALANCE_TOL", "1.03"},
                                                            {"OBJ_WEIGHT_DIM", "1"},
                                                            {"NUM_LID_ENTRIES", "0"},
                                                            {"RETURN_LISTS", "PARTS"},
                                                            {"SEED", std::to_string(seed)}};
  for (const auto& [name, value] : parameters) Zoltan_Set_Param(zoltan.get(), name, value.c_str());
  auto* const data = const_cast<Hypergraph*>(&hypergraph);
  Zoltan_Set_Num_Obj_Fn(zoltan.get(), count_nodes, data);
  Zoltan_Set_Obj_List_Fn(zoltan.get(), list_nodes, data);
  Zoltan_Set_HG_Size_CS_Fn(zoltan.get(), count_members, data);
  Zoltan_Set_HG_CS_Fn(zoltan.get(), list_members, data);

  Moves in;
  Moves out;
  int changed = 0;
  int id_size = 0;
  int local_size = 0;
  const int outcome = Zoltan_LB_Partition(zoltan.get(), &changed, &id_size, &local_size, &in.count, &in.ids,
                                          &in.local, &in.processes, &in.parts, &out.count, &out.ids,
                                          &out.local, &out.processes, &out.parts);
  if (outcome != ZOLTAN_OK && outcome != ZOLTAN_WARN) throw Failure("zoltan: finds no parts");
  parts::Partition partition{parts,
                             std::vector<std::int32_t>(static_cast<std::size_t>(hypergraph.node_count()), 0)};
  for (int i = 0; i < out.count; ++i) partition.part_of_node[out.ids[i]] = out.parts[i];
  return partition;
}

}  // namespace dshn::bench
