// Numbers and labels instead of classes, from outside: tables in, a model, predictions in the same units out.
#include <gmock/gmock.h>

#include <cmath>

#include "cli/own_data_files.hpp"

namespace dshn::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kDeals = 90;

/// The deals of own_data_files.hpp with numbers and labels that the features tell.
class Targets : public testing::Test {
 protected:
  Targets() {
    deals_ = scratch_.file("deals.csv", lines("hyperedge,node,role", deal_rows()));
    features_ = scratch_.file("features.csv", features(1));
    std::string numbers = "id,price\n";
    std::string labels = "id,label\n";
    for (int i = 0; i < kCompanies; ++i) {
      if (i % 10 == 7) continue;
      numbers += fmt::format("{},{}\n", company(i), 1000 + 50 * staff(i));
      const std::string joined = fmt::format("{}{}{}", staff(i) > 0 ? "big" : "",
                                             staff(i) > 0 && i % 2 == 0 ? ";" : "", i % 2 == 0 ? "even" : "");
      labels += fmt::format("{},{}\n", company(i), joined.empty() ? ";" : joined);
    }
    numbers_ = scratch_.file("numbers.csv", numbers);
    labels_ = scratch_.file("labels.csv", labels);
  }

  static double staff(int i) { return std::sin(1.7 * i); }
  static std::string features(double sign) {
    std::string text = "id,staff,even\n";
    for (int i = 0; i < kCompanies; ++i)
      text += fmt::format("{},{},{}\n", company(i), sign * staff(i), (i + 1) % 2);
    return text;
  }

  /// Trains for a moment; the flags say on what.
  Outcome train(const std::string& name, const Arguments& flags) const {
    return dshn(with(
        {"train", "--data",    deals_,  "--features",     features_, "--model", "dshn",  "--splits",
         "2",     "--device",  "cpu",   "--threads",      "1",       "--json",  "--out", scratch_.at(name),
         "--set", "epochs=80", "--set", "hidden_width=8", "--set",   "d=1",     "--set", "layers=1",
         "--set", "lr=0.03"},
        flags));
  }
  Outcome train_numbers(const std::string& name) const {
    return train(name, {"--labels", numbers_, "--target", "numbers"});
  }
  Outcome train_labels(const std::string& name) const {
    return train(name, {"--labels", labels_, "--target", "labels"});
  }

  Scratch scratch_;
  std::string deals_, features_, numbers_, labels_;
};

TEST_F(Targets, OfEveryKindAreSearchedForAModel) {
  for (const bool numbers : {true, false}) {
    const std::string kind = numbers ? "numbers" : "labels";
    const Outcome found = dshn({"train",
                                "--data",
                                deals_,
                                "--features",
                                features_,
                                "--labels",
                                numbers ? numbers_ : labels_,
                                "--target",
                                kind,
                                "--auto",
                                "0.001",
                                "--splits",
                                "1",
                                "--device",
                                "cpu",
                                "--threads",
                                "1",
                                "--set",
                                "epochs=3",
                                "--json",
                                "--quiet",
                                "--out",
                                scratch_.at(kind)});
    ASSERT_EQ(found.status, 0) << found.err;
    const nlohmann::json search = found.json()["auto"];
    EXPECT_EQ(search["request"]["metric"], numbers ? "r2" : "micro-f1");
    for (const auto& candidate : search["candidates"]) {
      EXPECT_NE(candidate["model"], "majority");  // a rule for classes
      EXPECT_EQ(candidate["state"], "completed") << candidate;
    }
  }
  const Outcome refused = dshn({"train", "--data", deals_, "--labels", numbers_, "--target", "numbers",
                                "--auto", "1", "--set", "metric=rmse", "--out", scratch_.at("refused")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("metric rmse: a search looks for the largest figure"));
}

TEST_F(Targets, NumbersOfNodesFromEndToEnd) {
  const Outcome trained = train_numbers("run");
  ASSERT_EQ(trained.status, 0) << trained.err;
  const nlohmann::json result = trained.json();
  EXPECT_EQ(result["task"], "node regression");
  EXPECT_EQ(result["target"], "numbers");
  EXPECT_EQ(result["metric"], "r2");
  EXPECT_GT(result["test"]["mean"].get<double>(), 0.5) << "better than the mean of the training items";
  EXPECT_LT(result["splits"][0]["test_figures"]["rmse"].get<double>(), 40);
  EXPECT_THAT(result["protocol"].get<std::string>(), HasSubstr("60/20/20 % of the nodes, not stratified"));
  EXPECT_THAT(trained.err, HasSubstr("53 of 59 nodes have numbers: price "));
  EXPECT_THAT(read_file(scratch_.path() / "run/predictions.csv"), StartsWith("id,part,true,predicted\n"));

  const Outcome table = dshn({"evaluate", scratch_.at("run")});
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, AllOf(HasSubstr("RMSE"), HasSubstr("MAE"), HasSubstr("test   0.")));
  EXPECT_THAT(dshn({"evaluate", scratch_.at("run"), "--json"}).json()["test"], result["test"]);

  const Arguments elsewhere{"--data", deals_, "--features", features_};
  const Outcome plain = dshn(with({"predict", scratch_.at("run")}, elsewhere));
  ASSERT_EQ(plain.status, 0) << plain.err;
  EXPECT_THAT(plain.out, StartsWith("id,predicted\n"));
  const Outcome judged = dshn(with({"predict", scratch_.at("run")}, elsewhere, {"--labels", numbers_}));
  ASSERT_EQ(judged.status, 0) << judged.err;
  EXPECT_THAT(judged.err,
              AllOf(HasSubstr("of 53 labelled nodes: R² 0."), HasSubstr("RMSE "), Not(HasSubstr(" %"))));
  const Outcome explained = dshn({"explain", scratch_.at("run"), "--node", company(3)});
  ASSERT_EQ(explained.status, 0) << explained.err;
  EXPECT_THAT(explained.out,
              AllOf(HasSubstr("is predicted; its true number is "),
                    HasSubstr("by how much the predicted number falls"), Not(HasSubstr("log-odds"))));
}

TEST_F(Targets, LabelsOfNodesFromEndToEnd) {
  const Outcome trained = train_labels("run");
  ASSERT_EQ(trained.status, 0) << trained.err;
  const nlohmann::json result = trained.json();
  EXPECT_EQ(result["task"], "multi-label node classification");
  EXPECT_EQ(result["metric"], "micro-f1");
  EXPECT_EQ(result["class_names"], nlohmann::json::parse(R"(["big", "even"])"));
  EXPECT_GT(result["test"]["mean"].get<double>(), 0.75);
  EXPECT_EQ(result["splits"][0]["test_figures"]["labels"].size(), 2U);
  const std::string predictions = read_file(scratch_.path() / "run/predictions.csv");
  EXPECT_THAT(predictions,
              AllOf(StartsWith("id,part,labels,predicted,p_big,p_even\n"), HasSubstr(",big;even,")));

  const Outcome judged = dshn(with({"predict", scratch_.at("run"), "--data", deals_, "--features", features_},
                                   {"--labels", labels_, "--out", scratch_.at("p.csv")}));
  ASSERT_EQ(judged.status, 0) << judged.err;
  EXPECT_THAT(judged.err, AllOf(HasSubstr("micro F1"), HasSubstr("subset accuracy")));
  const Outcome table =
      dshn({"evaluate", scratch_.at("run"), "--data", deals_, "--features", features_, "--labels", labels_});
  ASSERT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("subset accuracy"));
  const Outcome explained = dshn({"explain", scratch_.at("run"), "--node", company(3), "--json"});
  ASSERT_EQ(explained.status, 0) << explained.err;
  EXPECT_EQ(explained.json()["target"], "labels");
  EXPECT_TRUE(explained.json().contains("probability"));
}

TEST_F(Targets, HyperedgesHaveThemToo) {
  std::string numbers = "hyperedge,size\n";
  std::string labels = "hyperedge,early,odd\n";
  for (int d = 0; d < kDeals; ++d) {
    const double mean = (staff(d % 20) + staff(20 + d % 19) + staff(40 + (d * 7) % 20)) / 3;
    numbers += fmt::format("deal-{},{}\n", d, 5 + 3 * mean);
    labels += fmt::format("deal-{},{},{}\n", d, mean > 0 ? 1 : 0, mean < 0.1 ? 1 : 0);
  }
  const Outcome of_numbers =
      train("numbers", {"--hyperedge-labels", scratch_.file("sizes.csv", numbers), "--target", "numbers"});
  ASSERT_EQ(of_numbers.status, 0) << of_numbers.err;
  EXPECT_EQ(of_numbers.json()["task"], "hyperedge regression");
  EXPECT_GT(of_numbers.json()["test"]["mean"].get<double>(), 0.5);
  const Outcome of_labels =
      train("labels", {"--hyperedge-labels", scratch_.file("tags.csv", labels), "--target", "labels"});
  ASSERT_EQ(of_labels.status, 0) << of_labels.err;
  EXPECT_EQ(of_labels.json()["task"], "multi-label hyperedge classification");
  EXPECT_GT(of_labels.json()["test"]["mean"].get<double>(), 0.75);
}

TEST_F(Targets, AreDescribedAndConverted) {
  const Arguments flags{deals_, "--labels", numbers_, "--target", "numbers"};
  const Outcome page = dshn(with({"data", "info"}, flags));
  ASSERT_EQ(page.status, 0) << page.err;
  EXPECT_THAT(page.out, AllOf(HasSubstr("node regression"), HasSubstr("price "), HasSubstr("mean "),
                              HasSubstr("not stratified")));

  ASSERT_EQ(dshn(with({"data", "convert"},
                      {deals_, scratch_.at("folder"), "--labels", numbers_, "--target", "numbers"}))
                .status,
            0);
  const nlohmann::json before = dshn(with({"data", "info", "--json"}, flags)).json();
  const nlohmann::json after = dshn({"data", "info", "--json", scratch_.at("folder")}).json();
  EXPECT_EQ(after["target"], "numbers");
  EXPECT_EQ(after["numbers"], before["numbers"]);
  const Outcome hif = dshn(with(
      {"data", "convert"}, {deals_, scratch_.at("plain.json"), "--labels", numbers_, "--target", "numbers"}));
  EXPECT_THAT(hif.err, HasSubstr("y")) << "what HIF cannot hold is named";
}

TEST_F(Targets, WrongOnesAreRefusedInOneLine) {
  const auto refused = [&](const Outcome& outcome, int status, const auto& matcher) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_THAT(outcome.err, matcher);
  };
  const std::string words =
      scratch_.file("words.csv", fmt::format("id,price\n{},12\n{},dear\n", company(0), company(1)));
  refused(train("no", {"--labels", words, "--target", "numbers"}), 3,
          AllOf(HasSubstr("words.csv, line 3"), HasSubstr("'dear'"), HasSubstr("no number")));
  refused(train("no", {"--labels", numbers_}), 3,
          AllOf(HasSubstr("different labels"), HasSubstr("--target numbers")));
  refused(train("no", {"--labels", numbers_, "--target", "numbers", "--split", "stratified"}), 2,
          HasSubstr("choose random"));
  refused(train("no", {"--labels", numbers_, "--target", "numbers", "--set", "metric=accuracy"}), 2,
          HasSubstr("r2, rmse, mae"));
  refused(train("no", {"--labels", numbers_, "--target", "figures"}), 2, HasSubstr("--target"));
  refused(dshn({"train", "--data", deals_, "--labels", numbers_, "--target", "numbers", "--model",
                "head-share", "--out", scratch_.at("no")}),
          2, HasSubstr("model head-share: a rule for classes"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "no"));

  ASSERT_EQ(train_numbers("run").status, 0);
  refused(dshn({"evaluate", scratch_.at("run"), "--data", deals_, "--features", features_, "--labels",
                labels_, "--target", "labels"}),
          3, HasSubstr("has labels to predict, but the model was trained on numbers"));
  refused(dshn({"evaluate", scratch_.at("run"), "--target", "classes"}), 3, HasSubstr("different labels"));
}

TEST_F(Targets, AreReported) {
  scratch_.file("share/report.js", "start();");
  scratch_.file("share/report.css", "body {}");
  ASSERT_EQ(train_numbers("numbers").status, 0);
  ASSERT_EQ(train_labels("labels").status, 0);

  const Outcome report = dshn({"report", scratch_.at("numbers"), scratch_.at("labels"), "--explain",
                               company(3), "--out", scratch_.at("page.html")},
                              {{"DSHN_SHARE_DIR=" + scratch_.at("share")}});

  ASSERT_EQ(report.status, 0) << report.err;
  const std::string page = read_file(scratch_.at("page.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("\"target\":\"numbers\""), HasSubstr("\"rmse\""), HasSubstr("\"both\"")));
  EXPECT_THAT(page, HasSubstr("this run predicts numbers")) << "why some sections are empty";
}

}  // namespace
}  // namespace dshn::cli::test
