#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dshn/io/load.hpp"

namespace dshn::io {

/// A file or folder that is to be read, as far as is needed to tell what it is.
struct Candidate {
  std::filesystem::path path;
  bool folder = false;
  std::string extension;             // ".json" also for a.json.gz
  std::string start;                 // the first bytes of a file, decompressed
  std::vector<std::string> members;  // arrays of an .npz archive

  bool has(const std::string& member) const;
  /// Whether the file is text, going by its first bytes.
  bool text() const;
};

/// One way of storing a hypergraph. Everything that is said and done about formats follows from this: load(),
/// save(), what messages and help texts name, and the table in docs/formats.md.
struct Format {
  std::string name = {};                     // e.g. "hyperedge-list"
  std::string title = {};                    // as a person would call it, e.g. "hyperedge list"
  std::vector<std::string> extensions = {};  // of files, the usual one first; none for a folder
  bool folder = false;
  std::vector<std::string> files = {};  // all that a folder may hold; with anything else it is not replaced
  bool compressible = false;            // whether .gz and .zst may follow the extension
  bool holds_metadata = false;
  bool holds_ready = false;        // Loaded::ready
  std::string recognised_by = {};  // for people, in Markdown
  std::string section = {};        // of docs/formats.md, as a link has it
  std::function<bool(const Candidate&)> recognise = {};
  /// Empty for a format that is only written.
  std::function<Loaded(const std::filesystem::path&, const LoadOptions&)> read = {};
  /// Writes into the given file, which appears complete or not at all, or into the given empty folder;
  /// returns the names of what the format cannot hold. Empty for a format that is only read.
  std::function<std::vector<std::string>(const Loaded&, const std::filesystem::path&)> write = {};
};

/// All formats, in the order in which a file is held against them.
const std::vector<Format>& formats();

/// The first format that recognises a file or folder. Throws InvalidInput, with input_formats(), where there
/// is none.
const Format& format_to_read(const std::filesystem::path& path);

/// The format that a name asks for: a folder's, where the name has no extension, ends in a slash or is an
/// existing folder; else by the extension. Throws UsageError, with output_names(), for any other name.
const Format& format_to_write(const std::filesystem::path& path);

/// The formats that can be read, for help and messages: "data set folder, HIF (.json, .hif), ...".
std::string input_formats();
/// The names that save() understands, for help and messages.
std::string output_names();
/// The table in docs/formats.md.
std::string format_table();

}  // namespace dshn::io
