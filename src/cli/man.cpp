#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/man_page.hpp"
#include "dshn/base/error.hpp"
#include "dshn/io/atomic_file.hpp"
#include "dshn/io/file_system.hpp"

namespace dshn::cli {
namespace {

void write_pages(const CLI::App& app, const std::filesystem::path& folder, const Context& context) {
  io::make_folders(folder);
  const Command root = command_tree(app, context);
  const std::vector<const Command*> commands = all_commands(root);
  for (const Command* command : commands)
    io::write_file(folder / (command->joined() + ".1"), man_page(*command, root, app.get_footer()));
  context.print(fmt::format("{} pages in {}\n", commands.size(), folder.string()));
}

}  // namespace

void add_man(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("man", "Write the manual pages of all commands, for man");
  const auto folder = std::make_shared<std::filesystem::path>();
  command->add_option("--out", *folder, "Folder that they are written to; pages in it are replaced")
      ->required();
  command->callback([&app, &context, folder] {
    context.action = [&app, &context, folder] { write_pages(app, *folder, context); };
  });
}

}  // namespace dshn::cli
