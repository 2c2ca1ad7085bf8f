#include "tune/server_url.hpp"

#include <libpq-fe.h>

#include <cstring>
#include <memory>
#include <string_view>

#include "dshn/base/error.hpp"

namespace dshn::tune {
namespace {

using ConnectionInfo = std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)>;

/// The text of libpq may hold a password, so the message repeats nothing of it.
[[noreturn]] void refuse_url() {
  throw UsageError(
      "the address of the study's server cannot be read; expected postgresql://user@host:port/database, with "
      "@, / and "
      "the like written %40, %2F in its parts");
}

std::string value_of(const PQconninfoOption* options, const char* keyword) {
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option)
    if (std::strcmp(option->keyword, keyword) == 0) return option->val == nullptr ? "" : option->val;
  return "";
}

/// Where the parts of a URL were cut at a character of a password that was not spelled out, pieces of it are in others.
bool looks_torn(const PQconninfoOption* options) {
  const bool has_sign =
      (value_of(options, "host") + value_of(options, "dbname")).find('@') != std::string::npos;
  const std::string port = value_of(options, "port");
  return has_sign || port.find_first_not_of("0123456789,") != std::string::npos;
}

/// Without ":password" in front of the first @, as libpq finds it.
std::string without_user_password(const std::string& url) {
  const std::size_t begin = url.find("://") + 3;
  const std::size_t at = url.find_first_of("@/", begin);
  if (at == std::string::npos || url[at] != '@') return url;
  const std::size_t colon = url.find(':', begin);
  return colon < at ? url.substr(0, colon) + url.substr(at) : url;
}

/// Without parameters whose name ends in "password".
std::string without_password_parameters(const std::string& url) {
  const std::size_t question = url.find('?');
  if (question == std::string::npos) return url;
  std::string kept = url.substr(0, question);
  char between = '?';
  for (std::size_t begin = question + 1; begin <= url.size();) {
    const std::size_t end = std::min(url.find('&', begin), url.size());
    const std::string_view parameter = std::string_view(url).substr(begin, end - begin);
    const std::string_view name = parameter.substr(0, parameter.find('='));
    begin = end + 1;
    // A name may be spelled with %: these are few, and nobody needs them.
    if (name.find('%') != std::string_view::npos) refuse_url();
    if (parameter.empty() || name.ends_with("password")) continue;
    kept.append(1, between).append(parameter);
    between = '&';
  }
  return kept;
}

}  // namespace

ServerUrl split_server_url(const std::string& url) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) refuse_url();
  char* complaint = nullptr;
  const ConnectionInfo options(PQconninfoParse(url.c_str(), &complaint), PQconninfoFree);
  if (complaint != nullptr) PQfreemem(complaint);
  if (!options || looks_torn(options.get())) refuse_url();
  if (!value_of(options.get(), "sslpassword").empty())
    throw UsageError(
        "the address of the study's server has an sslpassword, which would be seen; expected a key without");
  return {without_password_parameters(without_user_password(url)), value_of(options.get(), "password")};
}

}  // namespace dshn::tune
