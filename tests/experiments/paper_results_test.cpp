#include "dshn/experiments/paper_results.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "dshn/data/registry.hpp"
#include "dshn/models/registry.hpp"

namespace dshn::experiments {
namespace {

TEST(PaperResults, QuoteThePaper) {
  EXPECT_EQ(paper_figure("telegram", "dshn")->mean, 88.65);
  EXPECT_EQ(paper_figure("telegram", "dshn")->std, 5.54);
  EXPECT_EQ(paper_figure("cora", "phenomnn")->mean, 88.12);
  EXPECT_EQ(paper_figure("amazon-ratings", "dhgnn-emb")->mean, 53.64);
  EXPECT_EQ(paper_figure("synthetic-io50", "dshn-light")->mean, 99.04);
  EXPECT_EQ(paper_figure("molecular-2", "dshn")->mean, 89.09);
  EXPECT_EQ(paper_figure("uspto-50k", "dshn-light")->std, 0.56);
}

TEST(PaperResults, HaveEveryModelOnEverySetOfThePaper) {
  for (const data::Entry& entry : data::registry()) {
    if (!has_paper_results(entry.name)) continue;
    for (const models::ModelEntry& model : models::all_models()) {
      const bool reactions = entry.task == data::Task::hyperedge_classification;
      const bool expected = is_paper_model(model.name) && !(reactions && model.name == "dhgnn-emb");
      EXPECT_EQ(paper_figure(entry.name, model.name).has_value(), expected)
          << entry.name << ' ' << model.name;
    }
  }
}

TEST(PaperResults, AreOfFifteenModels) {
  std::vector<std::string> others;
  for (const models::ModelEntry& model : models::all_models())
    if (!is_paper_model(model.name)) others.push_back(model.name);

  EXPECT_EQ(models::all_models().size() - others.size(), 15U);
  EXPECT_EQ(others, (std::vector<std::string>{"linear", "majority", "components", "head-share"}));
}

TEST(PaperResults, StandBesideRunsOfThePapersProtocolAlone) {
  train::Settings asked;
  asked.data = "texas";
  EXPECT_EQ(figure_beside(asked, 10)->mean, 83.78);
  asked.set = {{"split", "published"}, {"features", "stored"}, {"metric", "accuracy"}, {"layers", "3"}};
  EXPECT_EQ(figure_beside(asked, 10)->mean, 83.78);
  EXPECT_FALSE(figure_beside(asked, 9));

  const auto with = [&](auto change) {
    train::Settings other = asked;
    change(other);
    return figure_beside(other, 10).has_value();
  };
  EXPECT_FALSE(with([](train::Settings& s) { s.set["split"] = "random"; }));
  EXPECT_FALSE(with([](train::Settings& s) { s.set["features"] = "degree"; }));
  EXPECT_FALSE(with([](train::Settings& s) { s.set["metric"] = "macro-f1"; }));
  EXPECT_FALSE(with([](train::Settings& s) { s.reading["labels"] = "other.csv"; }));
  EXPECT_FALSE(with([](train::Settings& s) { s.data = "./texas"; }));
  EXPECT_FALSE(with([](train::Settings& s) { s.model = "linear"; }));
}

TEST(PaperResults, SayWhatRanOutOfMemory) {
  std::set<std::string> without;
  int columns = 0;
  for (const data::Entry& entry : data::registry()) {
    columns += has_paper_results(entry.name) ? 1 : 0;
    for (const models::ModelEntry& model : models::all_models()) {
      const auto figure = paper_figure(entry.name, model.name);
      if (figure && figure->out_of_memory) without.insert(std::string(entry.name) + ' ' + model.name);
    }
  }
  EXPECT_EQ(columns, 17);
  EXPECT_EQ(without, (std::set<std::string>{"roman-empire dshn", "amazon-ratings dshn", "uspto-50k legcn",
                                            "uspto-50k dhgnn", "uspto-50k dshn"}));
  EXPECT_EQ(to_json(paper_figure("uspto-50k", "dshn")), "out of memory");
}

TEST(PaperResults, StandBesideTheGeneratedSetsButNotBesideOtherVariants) {
  EXPECT_EQ(paper_figure("synthetic-generated-io10", "dshn")->mean, 94.96);
  EXPECT_FALSE(has_paper_results("synthetic-generated-io10"));
  for (const char* name : {"chameleon-directed", "squirrel-directed", "uspto-10k", "imagenet", ""})
    EXPECT_FALSE(paper_figure(name, "dshn")) << name;
  EXPECT_FALSE(paper_figure("cora", "a-model-of-tomorrow"));
}

}  // namespace
}  // namespace dshn::experiments
