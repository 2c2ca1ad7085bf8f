#include "dshn/io/table_files.hpp"

namespace dshn::io {
namespace {

constexpr int kMostDecimals = 20;

Shape words() {
  return Shape::list(Shape::text());
}

Shape options() {
  return Shape::map(Shape::text());
}

Shape request() {
  return Shape::object({{"splits", Shape::count()},
                        {"trials", Shape::count()},
                        {"search_splits", Shape::count()},
                        {"seed", Shape::seed()},
                        {"set", options()},
                        optional("seeds", Shape::count()),
                        optional("search", Shape::object({{"seeds", Shape::text()}}))});
}

std::vector<Shape::Member> origin_members() {
  return {{"version", Shape::text()}, {"commit", Shape::text()}, {"libtorch", Shape::text()},
          {"cpu", Shape::text()},     {"device", Shape::text()}, {"date", Shape::text()},
          {"cores", Shape::count()}};
}

Shape origin_of_cell() {
  return Shape::object(origin_members());
}

Shape origin_of_table() {
  std::vector<Shape::Member> members = origin_members();
  members.push_back({"command", Shape::text()});
  return Shape::object(std::move(members));
}

/// Of 0.1 the test figure alone.
Shape split() {
  return Shape::either(Shape::object({{"seed", Shape::seed()},
                                      {"split", Shape::count()},
                                      {"test", Shape::number()},
                                      optional("validation", Shape::number())}),
                       Shape::number());
}

Shape digests() {
  return Shape::object({{"hypergraph", Shape::text()},
                        {"features", Shape::text()},
                        {"labels", Shape::text()},
                        {"splits", Shape::text()}});
}

std::vector<Shape::Member> cell_members() {
  return {optional("data", Shape::text()),
          optional("model", Shape::text()),
          optional("row", Shape::text()),
          optional("column", Shape::text()),
          optional("options", options()),
          optional("request", request()),
          optional("made", origin_of_cell()),
          optional("digests", digests()),
          optional("preset", options()),
          optional("chosen", options()),
          optional("splits", Shape::list(split())),
          optional("items", Shape::object({{"train", Shape::number()}, {"test", Shape::number()}})),
          optional("test", figure_shape()),
          optional("validation", figure_shape()),
          optional("paper", Shape::either(figure_shape(), Shape::text().or_null())),
          optional("difference", figure_shape()),
          optional("parameters", Shape::number()),
          optional("epoch_ms", Shape::number()),
          optional("charges", Shape::list(Shape::list(Shape::number()))),
          optional("charge_spread", Shape::list(Shape::number())),
          optional("failure", Shape::text()),
          optional("seconds", Shape::number()),
          optional("side_by_side", Shape::integer(1, 1'000'000))};
}

Shape placed_cell() {
  std::vector<Shape::Member> members = cell_members();
  for (Shape::Member& member : members) member.required = member.name == "row" || member.name == "column";
  return Shape::object(std::move(members));
}

Shape comparison() {
  return Shape::object({{"title", Shape::text()},
                        {"column", Shape::text()},
                        {"n", Shape::count()},
                        {"mean", Shape::number()},
                        {"p", Shape::number()},
                        {"p_holm", Shape::number()},
                        {"word", Shape::text()},
                        optional("interval", Shape::interval())});
}

Shape runtime() {
  return Shape::object(
      {{"cells", Shape::count()}, {"seconds", Shape::number()}, {"shared_seconds", Shape::number()}});
}

Shape column() {
  return Shape::object({{"key", Shape::text()},
                        {"title", Shape::text()},
                        optional("text", Shape::flag()),
                        optional("decimals", Shape::integer(0, kMostDecimals))});
}

/// What stands in a row of a listing.
Shape value() {
  const Shape one = Shape::either(Shape::number(), Shape::text().or_null());
  return Shape::either(one, Shape::list(one));
}

}  // namespace

Shape figure_shape() {
  return Shape::object({{"mean", Shape::number()},
                        optional("std", Shape::number()),
                        optional("n", Shape::count()),
                        optional("interval", Shape::interval()),
                        optional("sign", Shape::text()),
                        optional("word", Shape::text())});
}

Shape cell_shape() {
  return Shape::object(cell_members());
}

Shape table_shape() {
  return Shape::object(
      {optional("cells", Shape::list(placed_cell())), optional("columns", Shape::list(column(), 1)),
       optional("rows", Shape::list(Shape::map(value()))), optional("title", Shape::text()),
       optional("quick", Shape::flag()), optional("quick_means", Shape::text().or_null()),
       optional("notes", words()), optional("missing", words()), optional("left_out", words()),
       optional("provenance", origin_of_table()), optional("runtime", runtime()),
       optional("comparisons", Shape::object({{"rows", Shape::list(comparison())}}))});
}

}  // namespace dshn::io
