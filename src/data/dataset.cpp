#include "dshn/data/dataset.hpp"

namespace dshn::data {

std::string item_word(Task task) {
  return task == Task::node_classification ? "node" : "hyperedge";
}

std::string task_words(Task task, TargetKind target) {
  if (target == TargetKind::numbers) return item_word(task) + " regression";
  return (target == TargetKind::labels ? "multi-label " : "") + item_word(task) + " classification";
}

}  // namespace dshn::data
