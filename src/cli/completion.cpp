#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command_tree.hpp"
#include "cli/commands.hpp"
#include "cli/completion_scripts.hpp"

namespace dshn::cli {

void add_completion(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes commands in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "For which shell")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}));
  command->callback([&app, &context, shell] {
    context.action = [&app, &context, shell] {
      const Command root = command_tree(app, context);
      context.print(*shell == "bash"   ? bash_script(root)
                    : *shell == "fish" ? fish_script(root)
                                       : zsh_script(root));
    };
  });
}

}  // namespace dshn::cli
