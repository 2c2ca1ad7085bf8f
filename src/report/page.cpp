#include "dshn/report/page.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"

namespace dshn::report {
namespace {

namespace fs = std::filesystem;

fs::path share_folder() {
  if (const char* given = std::getenv("DSHN_SHARE_DIR"); given != nullptr && *given != '\0') return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return program.parent_path().parent_path() / "share" / "dshn";
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
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
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string script_json(const nlohmann::ordered_json& document) {
  using Json = nlohmann::ordered_json;
  std::string text = document.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  text = replace_all(std::move(text), "<", "\\u003c");
  text = replace_all(std::move(text), ">", "\\u003e");
  return replace_all(std::move(text), "&", "\\u0026");
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
