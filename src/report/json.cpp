#include "report/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/table.hpp"

namespace dshn::report {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

ordered_json read_json(const fs::path& file, const std::string& writer) {
  return io::parse_json(io::read_file(file), file.string(), writer);
}

void check_shape(const ordered_json& document, const io::Shape& shape, const fs::path& file,
                 const std::string& what) {
  if (const std::string fault = shape.fault(document); !fault.empty())
    throw InvalidInput(fmt::format("{}: not {}: {}", file.string(), what, fault));
}

bool has_figure(const ordered_json& document, const char* name) {
  const auto found = document.find(name);
  return found != document.end() && found->is_object() && found->contains("mean") &&
         (*found)["mean"].is_number() && (!found->contains("std") || (*found)["std"].is_number());
}

ordered_json pick(const ordered_json& document, std::initializer_list<const char*> names) {
  ordered_json picked = ordered_json::object();
  for (const char* name : names)
    if (const auto found = document.find(name); found != document.end()) picked[name] = *found;
  return picked;
}

double short_number(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  // By way of text: a product with a power of ten would bring back the digits that were cut off.
  double result = value;
  io::parse_number(fmt::format("{:.5g}", value), result);
  return result;
}

std::string folder_name(const fs::path& folder) {
  const fs::path clean = fs::absolute(folder).lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

}  // namespace dshn::report
