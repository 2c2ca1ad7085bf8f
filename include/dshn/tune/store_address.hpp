#pragma once

#include <filesystem>
#include <string>

namespace dshn::tune {

/// Where the trials of a study are: in a SQLite file, or in a database of a PostgreSQL server, which has many studies,
/// each with a name.
class StoreAddress {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a file is such a place
  StoreAddress(std::filesystem::path file) : file_(std::move(file)) {}
  /// UsageError, which does not repeat it, where `url` is no URL of PostgreSQL or the name of the study is empty. Failure
  /// in a build without PostgreSQL. A password in the URL is used and never shown.
  static StoreAddress on_server(const std::string& url, const std::string& study);

  bool is_on_server() const { return !url_.empty(); }
  const std::filesystem::path& file() const { return file_; }
  /// Without a password.
  const std::string& url() const { return url_; }
  /// What the URL said; empty where it said none and the usual places (a password file, say) are asked.
  const std::string& password() const { return password_; }
  const std::string& study() const { return study_; }
  /// For messages.
  std::string text() const;

  /// Another study on the same server.
  StoreAddress with_study(std::string study) const;
  /// The same place when it has answered before: if it does not now, it is waited for.
  StoreAddress known_to_answer() const;
  bool has_answered() const { return has_answered_; }

 private:
  std::filesystem::path file_;
  std::string url_;
  std::string password_;
  std::string study_;
  bool has_answered_ = false;
};

/// A study: its trials, and the folder of the files that are made here (checkpoints of trials, the winner). Workers on
/// several machines share the trials of a study on a server, each with a folder of its own.
struct StudyPlace {
  /// The trials are in a file of the folder.
  // NOLINTNEXTLINE(google-explicit-constructor): a folder is such a place
  StudyPlace(const std::filesystem::path& study_folder);
  StudyPlace(std::filesystem::path study_folder, StoreAddress address);

  std::filesystem::path folder;
  StoreAddress store;

  /// For messages: the folder, or the name on the server.
  std::string text() const;
  /// Of the second look at the best trials (confirmation.hpp), which is like a study of its own.
  StudyPlace confirmation() const;
};

}  // namespace dshn::tune
