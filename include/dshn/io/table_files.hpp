#pragma once

#include "dshn/io/json_shape.hpp"

/// The files of experiments, which two rooms read: cells, and the tables that are made of them.
namespace dshn::io {

/// A mean, with what else is known of it: {"mean", "std", "n", "interval", "sign", "word"}.
Shape figure_shape();

/// What is stored of a cell, also of a table. Nothing is required: failed cells have no figures, those of version 0.1
/// fewer, and those of a table that were not made have only their place.
Shape cell_shape();

/// A table: cells with their row and column, or a listing of columns and rows. Which of them it has is for the reader
/// to see.
Shape table_shape();

}  // namespace dshn::io
