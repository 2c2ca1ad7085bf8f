#pragma once

#include <algorithm>
#include <cctype>

#include "fuzz/target.hpp"
#include "io/text.hpp"

/// Of the targets that read hypergraphs from text.
namespace dshn::fuzz {

/// Whether a directive claims very many items: 2^24 of them are allowed and take their time.
inline bool claims_many(std::string_view text) {
  std::size_t digits = 0;
  for (std::size_t at = text.find("#%"); at != std::string_view::npos; at = text.find("#%", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    for (const char c : line) {
      digits = c >= '0' && c <= '9' ? digits + 1 : 0;
      if (digits > 4) return true;
    }
  }
  return false;
}

/// Reads the list, and what was read is the same after it has been written with commas and with tabs.
inline void read_list(std::string_view bytes, const std::string& extension, const io::LoadOptions& options) {
  if (claims_many(bytes)) return;
  const io::Loaded loaded = io::read_text(file_with(bytes, "file" + extension), options);
  for (const char* const copy : {"copy.csv", "copy.tsv"}) {
    io::write_hyperedge_list(loaded.hypergraph, scratch() / copy);
    require(io::read_text(scratch() / copy).hypergraph == loaded.hypergraph, "what is written is read again");
  }
}

}  // namespace dshn::fuzz
