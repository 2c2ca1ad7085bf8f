#include "dshn/parts/folder.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/data/stored_dataset.hpp"
#include "dshn/io/array_file.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"
#include "parts/folder_header.hpp"
#include "parts/stored_dataset.hpp"
#include "parts/stored_plan.hpp"

namespace dshn::parts {
namespace {

namespace fs = std::filesystem;

void check(std::span<const Part> parts, const std::string& about) {
  if (parts.empty()) throw UsageError("no parts of a data set to write, expected 1 or more");
  if (find_invalid_utf8(about) != std::string::npos)
    throw UsageError("the text about the parts is not UTF-8");
  const Plan& first = parts.front().plan;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto& [plan, dataset] = parts[p];
    const bool of_one_whole = plan.all_nodes == first.all_nodes && plan.all_edges == first.all_edges &&
                              plan.all_incidences == first.all_incidences;
    if (plan.part != static_cast<int>(p) || plan.parts != static_cast<int>(parts.size()) || !of_one_whole) {
      throw UsageError(fmt::format("part {} of {} stands at place {} of {}, expected all parts of one whole",
                                   plan.part, plan.parts, p, parts.size()));
    }
    const Hypergraph& h = dataset.hypergraph;
    if (plan.nodes.size() != static_cast<std::size_t>(h.node_count()) ||
        plan.edges.size() != static_cast<std::size_t>(h.edge_count()) ||
        plan.incidences.size() != static_cast<std::size_t>(h.incidence_count())) {
      throw UsageError(fmt::format("part {}: the plan and the hypergraph differ in size", p));
    }
  }
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

FolderHeader read_header(const fs::path& folder) {
  const fs::path file = folder / kHeaderFile;
  if (!is_file(file))
    throw InvalidInput(fmt::format("{}: there is no such file, expected parts of a data set", file.string()));
  return header_from(io::read_file(file), file.string());
}

/// All of the file is read and held against its digests; what is made of it may stand on it.
io::StoredArrays read_arrays(const fs::path& path, const char* kind, const std::string& expected) {
  if (!is_file(path))
    throw InvalidInput(fmt::format("{}: there is no such file, which {} names", path.string(), kHeaderFile));
  const io::ArrayFile file(path, kind);
  if (file.digest() != expected) {
    throw InvalidInput(
        fmt::format("{}: was changed, or belongs to other parts: its digest is {}, expected {} as {} says",
                    path.string(), file.digest(), expected, kHeaderFile));
  }
  file.verify();
  return {file.arrays(), path.string()};
}

Plan read_plan(const fs::path& file, const FolderHeader& header, int part) {
  io::StoredArrays arrays = read_arrays(file, kPlanKind, header.parts[static_cast<std::size_t>(part)].plan);
  Plan plan = plan_from(arrays);
  if (plan.part != part || plan.parts != static_cast<int>(header.parts.size())) {
    throw InvalidInput(fmt::format("{}: is of part {} of {}, expected {} of {}", file.string(), plan.part,
                                   plan.parts, part, header.parts.size()));
  }
  if (plan.all_nodes != header.nodes || plan.all_edges != header.edges ||
      plan.all_incidences != header.incidences) {
    throw InvalidInput(
        fmt::format("{}: is of a whole of {} nodes, {} hyperedges and {} incidences, expected "
                    "{}, {} and {}",
                    file.string(), plan.all_nodes, plan.all_edges, plan.all_incidences, header.nodes,
                    header.edges, header.incidences));
  }
  return plan;
}

}  // namespace

void write(const fs::path& folder, std::span<const Part> parts, const std::string& about) {
  check(parts, about);
  check_replaceable(folder);
  const Plan& whole = parts.front().plan;
  FolderHeader header{whole.all_nodes, whole.all_edges, whole.all_incidences, {}, about};
  io::AtomicFolder draft(folder);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const fs::path place = draft.temporary() / part_folder(p);
    io::make_folders(place);
    header.parts.push_back(
        {io::write_array_file(place / kPlanFile, kPlanKind, to_arrays(parts[p].plan)),
         io::write_array_file(place / kDatasetFile, kPartKind, data::to_arrays(parts[p].dataset))});
  }
  io::write_file(draft.temporary() / kHeaderFile, to_json(header));
  check_replaceable(folder);  // someone may have put something there in the meantime
  draft.commit();
}

bool holds_parts(const fs::path& folder) {
  return is_file(folder / kHeaderFile);
}

void remove(const fs::path& folder) {
  io::remove_stale(folder);
  std::error_code ignored;
  if (fs::is_directory(folder, ignored) && is_replaceable(folder)) io::remove_tree(folder);
}

std::string about(const fs::path& folder) {
  return read_header(folder).about;
}

int count(const fs::path& folder) {
  return static_cast<int>(read_header(folder).parts.size());
}

StoredPart read(const fs::path& folder, int part) {
  FolderHeader header = read_header(folder);
  const auto parts = static_cast<int>(header.parts.size());
  if (part < 0 || part >= parts) {
    throw UsageError(fmt::format("{}: has no part {}, expected 0 to {}", folder.string(), part, parts - 1));
  }
  const fs::path place = folder / part_folder(static_cast<std::size_t>(part));
  StoredPart stored;
  stored.part.plan = read_plan(place / kPlanFile, header, part);
  io::StoredArrays arrays =
      read_arrays(place / kDatasetFile, kPartKind, header.parts[static_cast<std::size_t>(part)].dataset);
  stored.part.dataset = dataset_from(arrays, stored.part.plan);
  stored.about = std::move(header.about);
  return stored;
}

}  // namespace dshn::parts
