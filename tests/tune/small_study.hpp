#pragma once

#include "dshn/tune/store.hpp"
#include "dshn/tune/study.hpp"
#include "support/temporary_folder.hpp"

namespace dshn::tune::test {

/// A quick study on generated data: two splits of four epochs.
inline StudyRequest small_request() {
  StudyRequest request;
  request.settings.data = "synthetic-generated-io10";
  request.settings.model = "hgnn";
  request.settings.splits = 2;
  request.settings.device = "cpu";
  request.settings.set = {{"epochs", "4"}, {"hidden_width", "8"}};
  request.space = search_space("hgnn", request.settings.set);
  return request;
}

inline std::filesystem::path new_study(const TemporaryFolder& folder, const StudyRequest& request,
                                       int trials) {
  Store::create(database_file(folder.path()), request.to_text(), trials);
  return folder.path();
}

}  // namespace dshn::tune::test
