#pragma once

#include <cstdint>
#include <optional>

#include "dshn/tune/study.hpp"

/// The winner of many trials is partly a lucky one. A confirmation trains the best of them again, on splits and
/// from weights that the search has not seen, and names the winner by the validation figures of that. It is a
/// study of its own in StudyPlace::confirmation(), whose first and only trials are the best of the other.
namespace dshn::tune {

/// So far from the study's seed is that of its confirmation.
constexpr std::uint64_t kConfirmationStep = 1000;

/// What the confirmation trains with the options that all trials share.
train::Settings confirmation_settings(const StudyRequest& request);

/// Makes the confirmation ready for work(): the best completed trials, as many as the study's request says or
/// there are, take their place in it, unless they have it. Returns how many it has then. What was confirmed
/// before the study went on stays.
int prepare_confirmation(const StudyPlace& study);

/// Nothing where none has begun.
std::optional<Confirmation> read_confirmation(const StudyPlace& study);

}  // namespace dshn::tune
