#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "dshn/base/error.hpp"
#include "dshn/io/hif.hpp"
#include "io/hif_document.hpp"
#include "io/test_files.hpp"

namespace dshn::io::test {

inline Loaded load_text(std::string_view text, const LoadOptions& options = {}) {
  return read_hif(*view_bytes(text, "test.json"), options);
}

/// The message of the InvalidInput that loading gives.
inline std::string refusal(std::string_view text, const LoadOptions& options = {}) {
  return message_of<InvalidInput>([&] { (void)load_text(text, options); }).value_or("it loads");
}

inline std::vector<HifViolation> violations(std::string_view text) {
  return validate_hif(*view_bytes(text, "test.json"));
}

/// Parts with something between them.
inline std::string joined(const std::vector<std::string>& parts, char between) {
  std::string line;
  for (const std::string& part : parts) {
    if (!line.empty()) line += between;
    line += part;
  }
  return line;
}

/// "1 2 'a'": names as a message would show them.
inline std::string names(const Names& names, Index count) {
  std::vector<std::string> parts(count);
  for (Index i = 0; i < count; ++i) parts[i] = names.quoted(i);
  return joined(parts, ' ');
}
inline std::string node_names(const Hypergraph& h) {
  return names(h.node_names(), h.node_count());
}
inline std::string edge_names(const Hypergraph& h) {
  return names(h.edge_names(), h.edge_count());
}

/// "0,1>2": tails and heads of a hyperedge.
inline std::string members(const Hypergraph& h, Index e) {
  std::vector<std::string> tails;
  std::vector<std::string> heads;
  for (const Index v : h.tail(e)) tails.push_back(std::to_string(v));
  for (const Index v : h.head(e)) heads.push_back(std::to_string(v));
  return joined(tails, ',').append(">").append(joined(heads, ','));
}

}  // namespace dshn::io::test
