#include "dshn/report/page.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/base/share_folder.hpp"
#include "dshn/io/atomic_file.hpp"

namespace dshn::report {
namespace {

namespace fs = std::filesystem;

/// In one pass: a page may hold millions of them.
std::string escaped(const std::string& text, const std::map<char, std::string_view>& escapes) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto found = escapes.find(c);
    if (found == escapes.end())
      result += c;
    else
      result += found->second;
  }
  return result;
}

/// A bundler writes these with a backslash where they may occur; in a script they would end it or hide its
/// end.
void check_script(const std::string& script) {
  for (const char* forbidden : {"</script", "<!--"}) {
    if (script.find(forbidden) != std::string::npos)
      throw Failure(fmt::format("the page's script holds {}: build web/ again", forbidden));
  }
}

}  // namespace

Bundle find_bundle() {
  const fs::path folder = share_folder();
  for (const char* name : {"report.js", "report.css"}) {
    if (fs::is_regular_file(folder / name)) continue;
    throw Failure(fmt::format(
        "{}: the page's script is not there: this program was built without npm or without network; install "
        "nodejs and npm (Debian: apt-get install nodejs npm) and build again",
        (folder / name).string()));
  }
  return {io::read_file(folder / "report.js"), io::read_file(folder / "report.css")};
}

std::string html_text(const std::string& text) {
  return escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string script_json(const nlohmann::ordered_json& document) {
  using Json = nlohmann::ordered_json;
  return escaped(document.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace),
                 {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
}

std::string page(const std::string& title, const nlohmann::ordered_json& document, const Bundle& bundle) {
  check_script(bundle.script);
  std::string text =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // Nothing is fetched, whatever the data hold.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n";
  text += "<title>" + html_text(title) + "</title>\n<style>\n" + bundle.style + "</style>\n</head>\n<body>\n";
  text += "<noscript>This page draws its charts with JavaScript, which is switched off.</noscript>\n";
  text += "<script type=\"application/json\" id=\"dshn-data\">" + script_json(document) + "</script>\n";
  text += "<script>\n" + bundle.script + "</script>\n</body>\n</html>\n";
  return text;
}

}  // namespace dshn::report
