#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace dshn::io {

/// What a value of a JSON document must be. A document that has been held against its shape can be read by the names
/// that the shape requires, without looking again whether they are there and of which kind they are.
class Shape {
 public:
  struct Member;
  using Json = nlohmann::ordered_json;

  static Shape any();
  static Shape null();
  static Shape text();
  static Shape flag();
  /// No larger than 10^18, as nothing of ours is.
  static Shape number();
  static Shape integer(std::int64_t least, std::int64_t most);
  /// 0 to 2^64 - 1.
  static Shape seed();
  /// 0 to 2^31 - 1.
  static Shape count() { return integer(0, std::numeric_limits<std::int32_t>::max()); }
  static Shape list(Shape item, std::size_t least = 0);
  /// Two numbers.
  static Shape interval();
  /// An object whose names are free.
  static Shape map(Shape value);
  /// An object with these members; others are let be.
  static Shape object(std::vector<Member> members);
  static Shape either(Shape one, Shape other);
  static Shape both(Shape one, Shape other);
  Shape or_null() const { return either(*this, null()); }

  /// Empty where the value has the shape; otherwise the place of the first fault and what was expected there, such as
  /// "cells[3].test.mean is missing or of another kind; expected a number".
  std::string fault(const Json& value) const;

 private:
  /// Where a value stands: links to the front, so that names are only put together for a message.
  struct Place;
  /// Empty, or the fault.
  using Check = std::function<std::string(const Json& value, const Place& at)>;

  Shape(std::string name, Check check) : name_(std::move(name)), check_(std::move(check)) {}
  static Shape of_kind(std::string name, std::function<bool(const Json&)> is_one);
  std::string at(const Json& value, const Place& place) const { return check_(value, place); }
  std::string objection(const Place& place) const;

  std::string name_;  // for messages: "a number"
  Check check_;
};

/// A member of an object: required, unless it is said to be optional.
struct Shape::Member {
  std::string name;
  Shape shape;
  bool required = true;
};

Shape::Member optional(std::string name, Shape shape);

/// The document that a text is. InvalidInput, with `where` and the byte, where it is none, or is nested more deeply
/// than any of ours; `writer` says who should have written one: "training", "a search".
nlohmann::ordered_json parse_json(const std::string& text, const std::string& where,
                                  const std::string& writer);

}  // namespace dshn::io
