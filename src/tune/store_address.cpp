#include "dshn/tune/store_address.hpp"

#include <fmt/format.h>

#include "dshn/base/error.hpp"
#include "dshn/tune/study_files.hpp"
#include "tune/server_url.hpp"

namespace dshn::tune {

StoreAddress StoreAddress::on_server(const std::string& url, const std::string& study) {
  if (study.empty()) throw UsageError("the name of a study on a server is empty");
  StoreAddress address{std::filesystem::path()};
  ServerUrl parts = split_server_url(url);
  address.url_ = std::move(parts.shown);
  address.password_ = std::move(parts.password);
  address.study_ = study;
  return address;
}

std::string StoreAddress::text() const {
  return is_on_server() ? fmt::format("study {} on {}", study_, url_) : file_.string();
}

StoreAddress StoreAddress::with_study(std::string study) const {
  StoreAddress other = *this;
  other.study_ = std::move(study);
  return other;
}

StoreAddress StoreAddress::known_to_answer() const {
  StoreAddress other = *this;
  other.has_answered_ = true;
  return other;
}

StudyPlace::StudyPlace(const std::filesystem::path& study_folder)
    : folder(study_folder), store(database_file(study_folder)) {}

StudyPlace::StudyPlace(std::filesystem::path study_folder, StoreAddress address)
    : folder(std::move(study_folder)), store(std::move(address)) {}

std::string StudyPlace::text() const {
  return store.is_on_server() ? store.text() : folder.string();
}

StudyPlace StudyPlace::confirmation() const {
  if (!store.is_on_server()) return {confirmation_folder(folder)};
  return {confirmation_folder(folder), store.with_study(store.study() + "/confirm")};
}

}  // namespace dshn::tune
