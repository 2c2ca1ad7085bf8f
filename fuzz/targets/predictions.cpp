// predictions.csv of a run folder, of classes and of numbers.
#include "dshn/base/error.hpp"
#include "dshn/io/run_files.hpp"
#include "dshn/report/run_folder.hpp"
#include "fuzz/target.hpp"
#include "report/numbers.hpp"

namespace dshn::fuzz::predictions {
namespace {

std::vector<std::string> valid() {
  return {"id,part,label,predicted,p0,p1\n0,train,0,1,0.25,0.75\n\"a, b\",test,,0,1,0\n",
          "id,part,label,predicted,p_no,p_yes\nx,val,yes,no,0.5,0.5\n"};
}

std::vector<std::string> malformed() {
  return {"",
          "id,part\n",
          "id,part,label,predicted,p0\n0,train,0,1,1\n",
          "id,part,label,predicted,p0\n0,train,0,0,x\n",
          "id,part,label,predicted,p_a,p_a\n0,train,a,a,1,0\n",
          "id,part,label,predicted,p0\n0,train,0\n"};
}

void read(std::string_view bytes) {
  file_with(bytes, io::kPredictionsFile);
  const report::Predictions predictions = report::read_predictions(scratch());
  require(predictions.id.size() == predictions.predicted.size() &&
              predictions.id.size() == predictions.confidence.size(),
          "columns are of one length");
  try {
    static_cast<void>(report::read_numbers(scratch()));
  } catch (const InvalidInput&) {
    return;  // few files are of both kinds
  }
}

}  // namespace

Target target() {
  return {"predictions", valid, malformed, read};
}

}  // namespace dshn::fuzz::predictions
