#include "dshn/io/json_shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "dshn/base/error.hpp"
#include "io/json_text.hpp"

namespace dshn::io {
namespace {

/// Ours have ten levels at most. nlohmann's parser has no limit of its own, but copies and prints by recursion.
constexpr int kDeepest = 64;
constexpr double kLargest = 1e18;

}  // namespace

struct Shape::Place {
  const Place* outer = nullptr;
  const std::string* name = nullptr;  // of a member; null: an item of a list
  std::size_t index = 0;

  std::string text() const {
    if (outer == nullptr) return "";
    const std::string before = outer->text();
    if (name == nullptr) return fmt::format("{}[{}]", before, index);
    const std::string shown = excerpt(*name);
    return before.empty() ? shown : before + "." + shown;
  }
};

std::string Shape::objection(const Place& place) const {
  const std::string where = place.text();
  return fmt::format("{} is missing or of another kind; expected {}", where.empty() ? "the document" : where,
                     name_);
}

std::string Shape::fault(const Json& value) const {
  return at(value, Place{});
}

Shape Shape::of_kind(std::string name, std::function<bool(const Json&)> is_one) {
  Shape shape(std::move(name), {});
  shape.check_ = [is_one = std::move(is_one), named = shape](const Json& value, const Place& place) {
    return is_one(value) ? std::string() : named.objection(place);
  };
  return shape;
}

Shape Shape::any() {
  return of_kind("anything", [](const Json&) { return true; });
}

Shape Shape::null() {
  return of_kind("null", [](const Json& value) { return value.is_null(); });
}

Shape Shape::text() {
  return of_kind("a text", [](const Json& value) { return value.is_string(); });
}

Shape Shape::flag() {
  return of_kind("true or false", [](const Json& value) { return value.is_boolean(); });
}

Shape Shape::number() {
  return of_kind("a number", [](const Json& value) {
    return value.is_number() && std::abs(value.get<double>()) <= kLargest;
  });
}

Shape Shape::integer(std::int64_t least, std::int64_t most) {
  return of_kind(fmt::format("a whole number from {} to {}", least, most), [=](const Json& value) {
    if (value.is_number_unsigned())
      return std::cmp_less_equal(value.get<std::uint64_t>(), most) &&
             std::cmp_less_equal(least, value.get<std::uint64_t>());
    return value.is_number_integer() && value.get<std::int64_t>() >= least &&
           value.get<std::int64_t>() <= most;
  });
}

Shape Shape::seed() {
  return of_kind("a whole number from 0 to 2^64 - 1", [](const Json& value) {
    return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  });
}

Shape Shape::list(Shape item, std::size_t least) {
  Shape shape(least == 0 ? "a list" : fmt::format("a list of {} at least", least), {});
  shape.check_ = [item = std::move(item), least, named = shape](const Json& value, const Place& place) {
    if (!value.is_array() || value.size() < least) return named.objection(place);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (std::string fault = item.at(value[i], Place{&place, nullptr, i}); !fault.empty()) return fault;
    }
    return std::string();
  };
  return shape;
}

Shape Shape::interval() {
  return of_kind("two numbers", [](const Json& value) {
    return value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
  });
}

Shape Shape::map(Shape inner) {
  Shape shape("an object", {});
  shape.check_ = [inner = std::move(inner), named = shape](const Json& value, const Place& place) {
    if (!value.is_object()) return named.objection(place);
    for (const auto& [name, member] : value.items()) {
      if (std::string fault = inner.at(member, Place{&place, &name}); !fault.empty()) return fault;
    }
    return std::string();
  };
  return shape;
}

Shape Shape::object(std::vector<Member> members) {
  Shape shape("an object", {});
  shape.check_ = [members = std::move(members), named = shape](const Json& value, const Place& place) {
    if (!value.is_object()) return named.objection(place);
    for (const Member& member : members) {
      const Place here{&place, &member.name};
      const auto found = value.find(member.name);
      if (found == value.end() && !member.required) continue;
      if (found == value.end()) return member.shape.objection(here);
      if (std::string fault = member.shape.at(*found, here); !fault.empty()) return fault;
    }
    return std::string();
  };
  return shape;
}

Shape Shape::either(Shape one, Shape other) {
  Shape shape(one.name_ + " or " + other.name_, {});
  shape.check_ = [one = std::move(one), other = std::move(other)](const Json& value, const Place& place) {
    // A fault inside of a value of the right kind says more than that it is not of the other kind.
    std::string fault = one.at(value, place);
    return fault.empty() || other.at(value, place).empty() ? std::string() : fault;
  };
  return shape;
}

Shape Shape::both(Shape one, Shape other) {
  Shape shape(one.name_, {});
  shape.check_ = [one = std::move(one), other = std::move(other)](const Json& value, const Place& place) {
    std::string fault = one.at(value, place);
    return fault.empty() ? other.at(value, place) : fault;
  };
  return shape;
}

Shape::Member optional(std::string name, Shape shape) {
  return {std::move(name), std::move(shape), false};
}

nlohmann::ordered_json parse_json(const std::string& text, const std::string& where,
                                  const std::string& writer) {
  using Json = nlohmann::ordered_json;
  const auto bounded = [&](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
    if (depth > kDeepest)
      throw InvalidInput(fmt::format("{}: nested in more than {} levels, as nothing that {} writes", where,
                                     kDeepest, writer));
    return true;
  };
  try {
    return Json::parse(text, bounded);
  } catch (const Json::parse_error& problem) {
    throw InvalidInput(
        fmt::format("{}: byte {}: not JSON, which {} writes there", where, problem.byte, writer));
  } catch (const Json::exception&) {  // a number that is too large for any type
    throw InvalidInput(
        fmt::format("{}: a number that is out of range; not what {} writes there", where, writer));
  }
}

}  // namespace dshn::io
