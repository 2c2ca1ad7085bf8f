#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dshn {

/// One option of a model, as `--set name=value` takes it.
struct OptionSpec {
  enum class Kind : std::uint8_t { flag, integer, real, choice, combination, text };

  std::string name;
  Kind kind = Kind::flag;
  std::string default_value;
  /// Bounds of numbers, both included.
  double min = 0;
  double max = 0;
  /// Words that are allowed (besides numbers, for integer and real). Of a combination, any of them joined by
  /// '+', each once; its default stands alone.
  std::vector<std::string> words;
  /// Values that a search tries: the paper's space where it names one.
  std::vector<std::string> search;
  std::string help;
  /// "name=value" of other options: under any of them this one has no effect.
  std::vector<std::string> idle_when{};
  /// Of a text that is none of the words: what is wrong with it; empty: nothing. Null: any text will do.
  std::string (*fault)(const std::string& value) = nullptr;

  /// "integer 1..8 (4)", for help and messages.
  std::string expected() const;
};

OptionSpec flag_option(std::string name, bool default_value, std::string help);
OptionSpec integer_option(std::string name, std::int64_t default_value, std::int64_t min, std::int64_t max,
                          std::vector<std::string> search, std::string help);
OptionSpec real_option(std::string name, double default_value, double min, double max,
                       std::vector<std::string> search, std::string help);
OptionSpec choice_option(std::string name, std::string default_value, std::vector<std::string> words,
                         std::string help);

/// Its search tries nothing by itself: there are too many.
OptionSpec combination_option(std::string name, std::string default_value, std::vector<std::string> words,
                              std::string help);

/// Any text, or any that has no fault. Its search tries nothing.
OptionSpec text_option(std::string name, std::string default_value, std::string help,
                       std::string (*fault)(const std::string& value) = nullptr);

inline constexpr const char* kModelOption = "model option";

using Assignments = std::map<std::string, std::string>;

/// Checked values of a model's options: what was set, defaults elsewhere.
class Options {
 public:
  /// Throws UsageError on an unknown name (with the nearest known one) or a value that does not fit. `what`
  /// stands in the message for the kind of options.
  Options(std::vector<OptionSpec> specs, const Assignments& assignments,
          const std::string& what = kModelOption);

  bool flag(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  /// The words of a combination, in their order.
  std::vector<std::string> parts(const std::string& name) const;
  /// Whether the value is this word rather than a number.
  bool is(const std::string& name, const std::string& word) const { return text(name) == word; }
  /// All options with their values, by name.
  const Assignments& values() const { return values_; }

 private:
  std::vector<OptionSpec> specs_;
  Assignments values_;
};

}  // namespace dshn
