#include "dshn/experiments/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/documents.hpp"
#include "experiments/entries.hpp"

namespace dshn::experiments {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

// In pixels.
constexpr double kImageWidth = 760;
constexpr double kLeft = 130;  // of the names of the sets
constexpr double kRight = 20;
constexpr double kTop = 64;
constexpr double kRow = 30;
constexpr double kBottom = 46;
constexpr double kApart = 6;  // of the two models from the middle of their row

constexpr const char* kStyle = R"(<style>
  text { font: 14px sans-serif; fill: #1f2328; } .heading { font-size: 16px; font-weight: bold; }
  .grid { stroke: #8c959f; stroke-opacity: 0.35; } .zero { stroke: #57606a; stroke-width: 1.5; }
  .interval { stroke-width: 2; } .dshn { stroke: #1d4ed8; fill: #1d4ed8; } .light { stroke: #b45309; fill: #b45309; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .zero { stroke: #9da7b3; }
  .dshn { stroke: #79b8ff; fill: #79b8ff; } .light { stroke: #f59e0b; fill: #f59e0b; }
}
</style>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

std::vector<std::string> rows_of(const std::vector<Difference>& differences) {
  std::vector<std::string> rows;
  for (const Difference& difference : differences)
    if (std::find(rows.begin(), rows.end(), difference.data) == rows.end()) rows.push_back(difference.data);
  return rows;
}

/// From points to pixels, with zero and everything that is drawn in between.
class Axis {
 public:
  explicit Axis(const std::vector<Difference>& differences) {
    for (const Difference& difference : differences) {
      const auto [low, high] = difference.interval.value_or(std::pair(difference.mean, difference.mean));
      low_ = std::min(low_, low);
      high_ = std::max(high_, high);
    }
    constexpr int kTicks = 9;
    for (int i = 0; high_ - low_ > kTicks * step_; ++i) step_ *= i % 3 == 1 ? 2.5 : 2;  // 1, 2, 5, 10, ...
    low_ = step_ * std::floor(low_ / step_);
    high_ = step_ * std::ceil(high_ / step_);
  }

  double at(double points) const {
    return kLeft + (kImageWidth - kLeft - kRight) * (points - low_) / (high_ - low_);
  }

  std::vector<double> ticks() const {
    std::vector<double> all;
    for (double tick = low_; tick <= high_ + step_ / 2; tick += step_) all.push_back(tick);
    return all;
  }

 private:
  double low_ = -1;
  double high_ = 1;
  double step_ = 1;
};

/// A minus sign is not a hyphen.
std::string signed_text(double value, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  if (digits.find_first_not_of("0.") == std::string::npos) return digits;
  return (value < 0 ? "−" : "+") + digits;
}

std::string words_for(const Difference& difference) {
  std::string text = fmt::format("{} on {}: {}", title_of(difference.model), difference.data,
                                 signed_text(difference.mean, 2));
  if (difference.interval)
    text += fmt::format(", 95 % interval {} to {}", signed_text(difference.interval->first, 2),
                        signed_text(difference.interval->second, 2));
  return text;
}

/// A disc for DSHN, a square for DSHNLight: not told apart by colour alone.
std::string shape_at(const std::string& model, double x, double y) {
  if (model == "dshn") return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="4.5"/>)", x, y);
  return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="8" height="8"/>)", x - 4, y - 4);
}

std::string mark(const Difference& difference, const Axis& axis, double middle) {
  const bool light = difference.model != "dshn";
  const double y = middle + (light ? kApart : -kApart);
  std::string text = fmt::format("<g class=\"mark {}\"><title>{}</title>", light ? "light" : "dshn",
                                 escaped(words_for(difference)));
  if (difference.interval)
    text += fmt::format(R"(<line class="interval" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>)",
                        axis.at(difference.interval->first), axis.at(difference.interval->second), y, y);
  return text + shape_at(difference.model, axis.at(difference.mean), y) + "</g>\n";
}

std::string grid(const Axis& axis, double bottom) {
  std::string text;
  for (const double tick : axis.ticks()) {
    text += fmt::format(R"(<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{}" y2="{}"/>)",
                        std::abs(tick) < 1e-9 ? "zero" : "grid", axis.at(tick), axis.at(tick), kTop, bottom);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", axis.at(tick),
                        bottom + 20, signed_text(tick, 0));
  }
  return text;
}

/// The two models' names beside their marks.
std::string legend() {
  std::string text;
  double x = kLeft + 6;
  for (const std::string model : {"dshn", "dshn-light"}) {
    text += fmt::format("<g class=\"{}\">{}</g><text x=\"{}\" y=\"47\">{}</text>\n",
                        model == "dshn" ? "dshn" : "light", shape_at(model, x, 42), x + 12, title_of(model));
    x += 90;
  }
  return text;
}

std::string description(const std::vector<Difference>& differences) {
  std::string text = "Our mean test accuracy less the paper's, in points.";
  const auto has_none = [](const Difference& difference) { return !difference.interval; };
  if (std::any_of(differences.begin(), differences.end(), has_none))
    text += " Marks without a line have no known interval.";
  for (const Difference& difference : differences) text += " " + words_for(difference) + ".";
  return text;
}

void add_differences(const fs::path& file, std::vector<Difference>& differences) {
  const ordered_json document = read_table(file);
  for (const ordered_json& cell : document.value("cells", ordered_json::array())) {
    const std::string model = cell.value("model", "");
    if ((model != "dshn" && model != "dshn-light") || !cell.contains("difference")) continue;
    const ordered_json& difference = cell["difference"];
    differences.push_back({cell.value("data", ""), model, difference["mean"]});
    if (difference.contains("interval"))
      differences.back().interval = {difference["interval"][0], difference["interval"][1]};
  }
}

}  // namespace

std::vector<Difference> differences_in(const fs::path& folder) {
  std::vector<Difference> differences;
  for (const char* name : {"synthetic.json", "real-world.json"}) {
    const fs::path file = folder / name;
    if (fs::exists(file)) add_differences(file, differences);
  }
  return differences;
}

std::string difference_picture(const std::vector<Difference>& differences) {
  const std::vector<std::string> rows = rows_of(differences);
  const Axis axis(differences);
  const double bottom = kTop + kRow * static_cast<double>(rows.size());
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-labelledby=\"title desc\">\n<title id=\"title\">Difference to the paper</title>\n"
      "<desc id=\"desc\">{}</desc>\n{}",
      kImageWidth, bottom + kBottom, escaped(description(differences)), kStyle);
  text += fmt::format(
      "<text class=\"heading\" x=\"{}\" y=\"20\">Test accuracy: ours less the paper's, in points</text>\n",
      kLeft);
  text += legend() + grid(axis, bottom);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double middle = kTop + kRow * (static_cast<double>(i) + 0.5);
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kLeft - 12, middle + 5,
                        escaped(rows[i]));
    for (const Difference& difference : differences)
      if (difference.data == rows[i]) text += mark(difference, axis, middle);
  }
  return text + "</svg>\n";
}

}  // namespace dshn::experiments
