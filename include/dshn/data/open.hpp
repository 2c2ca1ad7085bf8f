#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dshn/data/dataset.hpp"
#include "dshn/io/load.hpp"

namespace dshn::data {

struct OpenOptions {
  io::LoadOptions load;
  /// Empty: the registry's for a built-in set, else by the labels that there are.
  std::optional<Task> task;
  /// Of the generator of the synthetic benchmark.
  std::uint64_t seed = 0;
};

/// Opens a data set by a built-in name, a folder or a file, as it is stored: features and splits that it
/// lacks are for features.hpp and splits.hpp to make.
///
/// WHAT is taken for
///
/// - a name, when it has no slash and is a built-in name or that of a folder in one of data_folders(), which
///   are DSHN_DATA_DIR and the user's cache folder, in this order. A folder of the same name in the current
///   directory is meant by "./NAME".
/// - a path otherwise.
///
/// The synthetic benchmark has two names.
///
/// - `synthetic-io10` (-io30, -io50) means the authors' files. Where they are not on this machine, the set is
///   generated with options.seed, with a warning.
/// - `synthetic-generated-io10` (-io30, -io50) is always generated.
///
/// The resulting data set is called by the latter name whenever it was generated, so no figure can pass for
/// one of the authors' files.
///
/// InvalidInput: a built-in set that is not here (the message names the command that fetches it, or says that
/// it cannot be had), no such file, wrong content. UsageError: a name that is neither built in nor a path
/// (the message suggests the nearest one).
Dataset open(const std::string& what, const OpenOptions& options = {});

}  // namespace dshn::data
