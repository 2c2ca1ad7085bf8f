#include "dshn/data/dataset.hpp"

namespace dshn::data {

std::string item_word(Task task) {
  return task == Task::node_classification ? "node" : "hyperedge";
}

}  // namespace dshn::data
