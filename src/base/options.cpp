#include "dshn/base/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "dshn/base/error.hpp"
#include "dshn/base/spelling.hpp"

namespace dshn {
namespace {

template <typename T>
bool parse(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_word(const OptionSpec& spec, const std::string& value) {
  return std::find(spec.words.begin(), spec.words.end(), value) != spec.words.end();
}

bool fits(const OptionSpec& spec, const std::string& value) {
  if (is_word(spec, value)) return true;
  std::int64_t whole = 0;
  double number = 0;
  switch (spec.kind) {
    case OptionSpec::Kind::flag:
      return value == "true" || value == "false";
    case OptionSpec::Kind::integer:
      return parse(value, whole) && static_cast<double>(whole) >= spec.min &&
             static_cast<double>(whole) <= spec.max;
    case OptionSpec::Kind::real:
      return parse(value, number) && std::isfinite(number) && number >= spec.min && number <= spec.max;
    case OptionSpec::Kind::choice:
    case OptionSpec::Kind::combination:
      return false;
    case OptionSpec::Kind::text:
      return spec.fault == nullptr;
  }
  return false;
}

/// What stands between the signs, empty parts too.
std::vector<std::string> split_at_plus(const std::string& value) {
  std::vector<std::string> parts(1);
  for (const char c : value) {
    if (c == '+')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// The words of which there may be several.
std::vector<std::string> joinable(const OptionSpec& spec) {
  std::vector<std::string> words = spec.words;
  std::erase(words, spec.default_value);
  return words;
}

/// What is wrong with a combination; empty: nothing.
std::string fault_of_combination(const OptionSpec& spec, const std::string& value) {
  const std::vector<std::string> known = joinable(spec);
  const std::vector<std::string> parts = split_at_plus(value);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part->empty()) return "a part is empty, expected " + spec.expected();
    if (std::find(known.begin(), known.end(), *part) == known.end()) {
      const auto close = nearest(*part, known);
      return close ? fmt::format("unknown part '{}', did you mean '{}'?", *part, *close)
                   : fmt::format("unknown part '{}', expected {}", *part, spec.expected());
    }
    if (std::find(parts.begin(), part, *part) != part)
      return fmt::format("'{}' is there twice, expected each part once", *part);
  }
  return "";
}

/// What is wrong with a value of the option; empty: nothing.
std::string fault_of(const OptionSpec& spec, const std::string& value) {
  if (fits(spec, value)) return "";
  if (spec.kind == OptionSpec::Kind::combination) return fault_of_combination(spec, value);
  if (spec.kind == OptionSpec::Kind::text) return spec.fault(value);
  return "expected " + spec.expected();
}

}  // namespace

std::string OptionSpec::expected() const {
  std::string text;
  switch (kind) {
    case Kind::flag:
      return "true or false";
    case Kind::integer:
      text = fmt::format("a whole number {}..{}", min, max);
      break;
    case Kind::real:
      text = fmt::format("a number {}..{}", min, max);
      break;
    case Kind::choice:
      return "one of " + fmt::format("{}", fmt::join(words, ", "));
    case Kind::combination:
      return fmt::format("{}, or any of {} joined by +", default_value, fmt::join(joinable(*this), ", "));
    case Kind::text:
      text = "a text";
      break;
  }
  return words.empty() ? text : fmt::format("{}, or {}", text, fmt::join(words, ", "));
}

OptionSpec flag_option(std::string name, bool default_value, std::string help) {
  return {std::move(name),   OptionSpec::Kind::flag, default_value ? "true" : "false", 0, 0, {},
          {"false", "true"}, std::move(help)};
}

OptionSpec integer_option(std::string name, std::int64_t default_value, std::int64_t min, std::int64_t max,
                          std::vector<std::string> search, std::string help) {
  return {std::move(name),
          OptionSpec::Kind::integer,
          std::to_string(default_value),
          static_cast<double>(min),
          static_cast<double>(max),
          {},
          std::move(search),
          std::move(help)};
}

OptionSpec real_option(std::string name, double default_value, double min, double max,
                       std::vector<std::string> search, std::string help) {
  return {std::move(name),   OptionSpec::Kind::real, fmt::format("{}", default_value), min, max, {},
          std::move(search), std::move(help)};
}

OptionSpec choice_option(std::string name, std::string default_value, std::vector<std::string> words,
                         std::string help) {
  return {std::move(name), OptionSpec::Kind::choice, std::move(default_value), 0, 0,
          words,           std::move(words),         std::move(help)};
}

OptionSpec combination_option(std::string name, std::string default_value, std::vector<std::string> words,
                              std::string help) {
  OptionSpec spec =
      choice_option(std::move(name), std::move(default_value), std::move(words), std::move(help));
  spec.kind = OptionSpec::Kind::combination;
  spec.search = {};
  return spec;
}

OptionSpec text_option(std::string name, std::string default_value, std::string help,
                       std::string (*fault)(const std::string& value)) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.kind = OptionSpec::Kind::text;
  spec.default_value = std::move(default_value);
  spec.help = std::move(help);
  spec.fault = fault;
  return spec;
}

Options::Options(std::vector<OptionSpec> specs, const Assignments& assignments, const std::string& what)
    : specs_(std::move(specs)) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : specs_) {
    values_[spec.name] = spec.default_value;
    names.push_back(spec.name);
  }
  for (const auto& [name, value] : assignments) {
    const auto spec =
        std::find_if(specs_.begin(), specs_.end(), [&](const OptionSpec& s) { return s.name == name; });
    if (spec == specs_.end()) {
      const auto close = nearest(name, names);
      throw UsageError(fmt::format("unknown {} '{}'{}", what, name,
                                   close ? fmt::format(", did you mean '{}'?", *close) : ""),
                       what == kModelOption ? Topic{"unknown-option"} : Topic{});
    }
    if (const std::string fault = fault_of(*spec, value); !fault.empty())
      throw UsageError(fmt::format("{} {}={}: {}", what, name, value, fault));
    values_[name] = value;
  }
}

bool Options::flag(const std::string& name) const {
  return text(name) == "true";
}

std::int64_t Options::integer(const std::string& name) const {
  std::int64_t value = 0;
  parse(text(name), value);
  return value;
}

double Options::real(const std::string& name) const {
  double value = 0;
  parse(text(name), value);
  return value;
}

std::vector<std::string> Options::parts(const std::string& name) const {
  return split_at_plus(text(name));
}

const std::string& Options::text(const std::string& name) const {
  return values_.at(name);
}

}  // namespace dshn
