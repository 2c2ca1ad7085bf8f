#include <fmt/format.h>

#include <algorithm>

#include "dshn/base/error.hpp"
#include "dshn/base/utf8.hpp"
#include "dshn/hypergraph/soundness.hpp"
#include "dshn/io/data_files.hpp"
#include "dshn/io/format.hpp"
#include "dshn/io/stored_arrays.hpp"

namespace dshn::io {
namespace {

// Arrays as they were given stand beside those that are used in place; numbers that both have are there once.
constexpr const char* kGiven = "given/";
// Of text: the letters of all elements, where each begins, and the shape.
constexpr const char* kGivenText = "given text/";
constexpr const char* kGivenTextBegin = "given text begin/";
constexpr const char* kGivenTextShape = "given text shape/";
constexpr const char* kMetadata = "metadata";

std::vector<std::string> write_binary(const Loaded& loaded, const std::filesystem::path& path) {
  ArrayViews views = loaded.ready;
  put_hypergraph(views, loaded.hypergraph);
  if (!loaded.metadata.empty())
    put_kept(views, kMetadata, std::vector<std::uint8_t>(loaded.metadata.begin(), loaded.metadata.end()));
  std::vector<std::string> left_out;
  for (const auto& [name, array] : loaded.arrays) {
    if (find_invalid_utf8(name) != std::string::npos) {
      left_out.push_back("an array whose name is not UTF-8");
    } else if (array.dtype == DType::text) {
      ArrayViews texts;
      put_texts(texts, "t", array.texts);
      views[kGivenText + name] = texts.at("t");
      views[kGivenTextBegin + name] = texts.at("t_begin");
      put_kept(views, kGivenTextShape + name, array.shape);
    } else {
      views[kGiven + name] = {array.dtype, array.shape, array.bytes, {}};
    }
  }
  write_array_file(path, kDatasetKind, views);
  return left_out;
}

/// The array of text of this name, out of its three.
Array take_text(StoredArrays& stored, const std::string& name) {
  ArrayViews parts;
  const auto letters = stored.view<std::uint8_t>(kGivenText + name);
  const auto begin = stored.view<std::int64_t>(kGivenTextBegin + name);
  put(parts, name, letters.values);
  put(parts, name + "_begin", begin.values);
  Array array{DType::text, stored.take<std::int64_t>(kGivenTextShape + name), {}, {}};
  array.texts = StoredArrays(std::move(parts), stored.where()).take_texts(name);
  const bool fits = std::ranges::all_of(array.shape, [&](std::int64_t extent) {
    return extent >= 0 && extent <= static_cast<std::int64_t>(array.texts.size());
  });
  stored.require(fits && array.size() == static_cast<std::int64_t>(array.texts.size()),
                 kGivenTextShape + name, "is not the shape of the texts");
  return array;
}

Loaded read_binary(const std::filesystem::path& path, const LoadOptions& options) {
  const ArrayFile file(path, kDatasetKind);
  file.verify();
  StoredArrays stored(file.arrays(), file.name());
  Loaded loaded;
  loaded.format = kBinaryTitle;
  loaded.hypergraph = stored.take_hypergraph();
  if (const std::string fault = find_fault(loaded.hypergraph, Soundness::memory); !fault.empty())
    throw InvalidInput(fmt::format("{}: {}", file.name(), fault));
  if (options.incidence_weights == IncidenceWeights::ignore && loaded.hypergraph.has_incidence_weights()) {
    const Hypergraph& h = loaded.hypergraph;
    HypergraphViews views = h.views();
    views.incidence_weights = {};
    loaded.warnings.emplace_back("the weights of incidences are not used: members count alike");
    loaded.hypergraph = {views, h.owner(), h.node_names(), h.edge_names()};
  }
  if (stored.has(kMetadata)) {
    const auto metadata = stored.view<std::uint8_t>(kMetadata);
    loaded.metadata.assign(metadata.values.begin(), metadata.values.end());
  }
  for (const auto& [name, array] : file.arrays()) {
    if (name.starts_with(kGivenText)) {
      const std::string own = name.substr(std::string_view(kGivenText).size());
      loaded.arrays[own] = take_text(stored, own);
    } else if (name.starts_with(kGiven)) {
      loaded.arrays[name.substr(std::string_view(kGiven).size())] = {
          array.dtype, array.shape, {array.bytes.begin(), array.bytes.end()}, {}};
    }
  }
  return loaded;
}

}  // namespace

Format binary_format() {
  return {.name = "binary",
          .title = kBinaryTitle,
          .extensions = {".dshn"},
          .holds_metadata = true,
          .holds_ready = true,
          .recognised_by = "its first bytes",
          .section = "binary-data-set",
          .recognise = [](const Candidate& candidate) { return begins_as_array_file(candidate.start); },
          .read = read_binary,
          .write = write_binary};
}

}  // namespace dshn::io
