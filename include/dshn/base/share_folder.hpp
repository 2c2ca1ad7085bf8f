#pragma once

#include <filesystem>

namespace dshn {

/// Where the files lie that go with the program: the parts of the report page, the presets. That is DSHN_SHARE_DIR or,
/// where it is not set, share/dshn beside the program's folder. It need not exist.
std::filesystem::path share_folder();

}  // namespace dshn
