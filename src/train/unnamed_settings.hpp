#pragma once

#include <filesystem>

namespace dshn::train {

/// A run that was killed before its settings had their name is none: what is left of it goes.
void remove_unnamed_settings(const std::filesystem::path& folder);

}  // namespace dshn::train
