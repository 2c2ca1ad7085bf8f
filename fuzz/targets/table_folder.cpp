// A data set folder of tables: what nodes.csv says of labels, features, parts and times.
#include "dshn/data/open.hpp"
#include "fuzz/target.hpp"

namespace dshn::fuzz::table_folder {
namespace {

std::vector<std::string> valid() {
  return {"id,label,split,age,town\n0,yes,train,1.5,Oslo\n1,no,val,,Rome\n2,yes,test,2,\n3,,,,\n",
          "id,label\n0,1\n1,0\n2,1\n3,0\n", "node,y,when\n0,a,1\n1,b,2\n2,a,3\n9,b,\n"};
}

std::vector<std::string> malformed() {
  return {"", "id,label,split\n0,a,elsewhere\n1,b,train\n", "id,label\n0,a\n0,b\n",
          "id,label,split\n0,,train\n1,a,val\n"};
}

void read(std::string_view bytes) {
  const std::filesystem::path folder = scratch() / "tables";
  if (std::filesystem::create_directory(folder))
    file_with("hyperedge,node,role\n0,0,tail\n0,1,head\n1,1,\n1,2,\n1,3,\n", "tables/hypergraph.csv");
  file_with(bytes, "tables/nodes.csv");
  data::OpenOptions options;
  options.load.missing_direction = io::MissingDirection::undirected;
  const data::Dataset dataset = data::open(folder.string(), options);
  for (const Index label : dataset.labels)
    require(label >= -1 && label < dataset.class_count, "labels are classes");
}

}  // namespace

Target target() {
  return {"table_folder", valid, malformed, read};
}

}  // namespace dshn::fuzz::table_folder
