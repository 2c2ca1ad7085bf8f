#pragma once

#include <string>

namespace dshn::tune {

/// The address of a database server in two parts, of which the second is for nobody's eyes.
struct ServerUrl {
  std::string shown;
  std::string password;
};

/// As StoreAddress::on_server says.
ServerUrl split_server_url(const std::string& url);

}  // namespace dshn::tune
