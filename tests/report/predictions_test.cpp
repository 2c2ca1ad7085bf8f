#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dshn/base/error.hpp"
#include "dshn/report/run_folder.hpp"
#include "report/files.hpp"

namespace dshn::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Predictions, QuotedNamesAreRead) {
  const TemporaryFolder folder;
  put(folder / "predictions.csv",
      "id,part,label,predicted,p0,p1\n"
      "\"a,\"\"b\"\"\n</script>\",test,0,1,0.25,0.75\n"
      "c,,1,0,1,0\n");

  const Predictions predictions = read_predictions(folder.path());

  EXPECT_THAT(predictions.id, ElementsAre("a,\"b\"\n</script>", "c"));
  EXPECT_THAT(predictions.part, ElementsAre("test", ""));
  EXPECT_THAT(predictions.label, ElementsAre(0, 1));
  EXPECT_THAT(predictions.predicted, ElementsAre(1, 0));
  EXPECT_THAT(predictions.confidence, ElementsAre(0.75F, 1.0F));
}

TEST(Predictions, NumbersMayBeMissing) {
  const TemporaryFolder folder;
  put(folder / "predictions.csv",
      "id,part,label,predicted,p0,p1\na,,-1,1,0.25,0.75\nb,,,1,0.25,0.75\nc,,1,1,0.25,0.75\n");

  const Predictions predictions = read_predictions(folder.path());

  EXPECT_THAT(predictions.class_names, IsEmpty());
  EXPECT_THAT(predictions.label, ElementsAre(-1, -1, 1));
  EXPECT_THAT(predictions.predicted, ElementsAre(1, 1, 1));
}

TEST(Predictions, WordsBecomePlacesAndNothingIsUnknown) {
  const TemporaryFolder folder;
  put(folder / "predictions.csv",
      "id,part,label,predicted,p_red,\"p_dark blue, nearly\"\n"
      "a,test,red,\"dark blue, nearly\",0.25,0.75\n"
      "b,,,red,0.5,0.5\n");

  const Predictions predictions = read_predictions(folder.path());

  EXPECT_THAT(predictions.class_names, ElementsAre("red", "dark blue, nearly"));
  EXPECT_THAT(predictions.label, ElementsAre(0, -1));
  EXPECT_THAT(predictions.predicted, ElementsAre(1, 0));
  EXPECT_THAT(predictions.confidence, ElementsAre(0.75F, 0.5F));
}

TEST(Predictions, WordsThatAreNumbersAreWordsToo) {
  const TemporaryFolder folder;
  put(folder / "predictions.csv", "id,part,label,predicted,p_7,p_0\na,test,0,7,1,0\n");

  const Predictions predictions = read_predictions(folder.path());

  EXPECT_THAT(predictions.label, ElementsAre(1)) << "the class that is called 0 stands second";
  EXPECT_THAT(predictions.predicted, ElementsAre(0));
}

TEST(Predictions, WrongLinesAreNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("cannot open"));
  put(folder / "predictions.csv", "id,label\n");
  EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("line 1"));
  for (const char* record :
       {"a,test,0,2,0.5,0.5", "a,test,0,x,0.5,0.5", "a,test,0,1,0.5", "a,test,0,-1,0.5,0.5",
        "a,test,-2,1,0.5,0.5", "a,test,2,1,0.5,0.5", "a,test,0,,0.5,0.5"}) {
    put(folder / "predictions.csv", std::string("id,part,label,predicted,p0,p1\n") + record + "\n");
    EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("line 2"))
        << record;
  }
  for (const char* record : {"a,test,red,green,0.5,0.5", "a,test,green,red,0.5,0.5", "a,test,red,,0.5,0.5"}) {
    put(folder / "predictions.csv", std::string("id,part,label,predicted,p_red,p_blue\n") + record + "\n");
    EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("line 2"))
        << record;
  }
  for (const char* columns : {"p0,p2", "p_red,p1", "p_red,p_red", "score"}) {
    put(folder / "predictions.csv", std::string("id,part,label,predicted,") + columns + "\n");
    EXPECT_THAT(message_of<InvalidInput>([&] { read_predictions(folder.path()); }), HasSubstr("p_CLASS"))
        << columns;
  }
}

}  // namespace
}  // namespace dshn::report
