#include "cli/program.hpp"

int main(int argc, char** argv) {
  return dshn::cli::run(argc, argv);
}
