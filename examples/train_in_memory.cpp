// Trains DSHN on a hypergraph made here: no file is read or written.
#include <cstdio>
#include <dshn/hypergraph/builder.hpp>
#include <dshn/train/run.hpp>
#include <string>

/// Mails inside two teams: members write to their own team, and the two teams answer each other's heads.
dshn::data::Dataset mails() {
  dshn::HypergraphBuilder builder;
  dshn::data::Dataset dataset;
  constexpr int kPeople = 40;
  const auto person = [](int i) { return dshn::Name::string("person " + std::to_string(i)); };
  for (int i = 0; i < kPeople; ++i) {
    builder.node(person(i));
    dataset.labels.push_back(i % 2);  // the team
  }
  for (int i = 0; i < 4 * kPeople; ++i) {
    const dshn::Name mail = dshn::Name::integer(i);
    const int sender = i % kPeople;
    builder.incidence(mail, person(sender), dshn::Role::tail);
    for (int k = 1; k <= 3; ++k)
      builder.incidence(mail, person((sender + 2 * k * (1 + i / kPeople)) % kPeople), dshn::Role::head);
  }
  dataset.name = "mails";
  dataset.hypergraph = builder.build();
  dataset.class_count = 2;
  return dataset;
}

int main() {
  dshn::train::Settings settings;
  settings.model = "dshn";
  settings.splits = 2;
  settings.device = "cpu";
  settings.set = {{"epochs", "60"}, {"hidden_width", "8"}, {"features", "random"}, {"split", "stratified"}};

  const dshn::train::Experiment experiment(std::make_shared<const dshn::data::Dataset>(mails()), settings);
  const dshn::train::RunResult result = dshn::train::run_in_memory(experiment);

  std::printf("test accuracy %.1f +- %.1f over %zu splits\n", 100 * result.test.mean, 100 * result.test.std,
              result.splits.size());
  const at::Tensor& p = result.splits[0].predictions;
  std::printf("person 0 is in team 0 with probability %.2f\n", p[0][0].item<double>());
}
