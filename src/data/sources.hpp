#pragma once

#include <array>

#include "dshn/data/registry.hpp"

/// Where the data sets can be had: public files pinned to a commit, their size and SHA-256.
namespace dshn::data {

inline constexpr std::string_view kBaseAddress = "https://raw.githubusercontent.com";

/// Folders of public repositories, each at one commit.
inline constexpr std::string_view kHeterophilous =
    "yandex-research/heterophilous-graphs/a431395582e929d88271309716bea4fe24ce6318/data";
inline constexpr std::string_view kGedi =
    "Stefa1994/GeDi-HNN/d076ee1b5218406b6ce4b07f746dee802e9d0f91/data/original_data";
inline constexpr std::string_view kMagnet =
    "matthew-hirn/magnet/218e7719cc75e70cfed485c0f9a6f8f87d2a061f/dataset/data/tmp";
inline constexpr std::string_view kGraphkan =
    "WillHua127/GraphKAN-Graph-Kolmogorov-Arnold-Networks/d3249c06598f8c20806d490ba4847e1cd85fd014/data";

// clang-format off
inline constexpr std::array<SourceFile, 1> kRomanEmpire = {{
  {kHeterophilous, "roman_empire.npz", 20401489,
   "a58ba741d123bf892fe5c872138d07463d75a2e9012360b8dd78ac2d4766d428"}}};
inline constexpr std::array<SourceFile, 1> kAmazonRatings = {{
  {kHeterophilous, "amazon_ratings.npz", 27744018,
   "4c3a3e3b9d9f6cba0fede4625a00aad8c5721c1a36ed771367f446763241c7dd"}}};
inline constexpr std::array<SourceFile, 1> kChameleon = {{
  {kHeterophilous, "chameleon_filtered.npz", 58924,
   "bf46f07e1fb5249280447e5fe3100f3e82fc4b93ad1e13ffcfdec924b6ac0bb5"}}};
inline constexpr std::array<SourceFile, 1> kChameleonDirected = {{
  {kHeterophilous, "chameleon_filtered_directed.npz", 69275,
   "5a2d40701407188f1661d37a326484b49cc15251e0dedaa7bd380873dac80f21"}}};
inline constexpr std::array<SourceFile, 1> kSquirrel = {{
  {kHeterophilous, "squirrel_filtered.npz", 208215,
   "f06370ffb3116c5de8b7a600005400b2293c025e0ce2f6916d8201a825505ac7"}}};
inline constexpr std::array<SourceFile, 1> kSquirrelDirected = {{
  {kHeterophilous, "squirrel_filtered_directed.npz", 249855,
   "0526e53252f0b052124f7390829c32e923d432acaf64206191a1144a07b39620"}}};
inline constexpr std::array<SourceFile, 2> kTelegram = {{
  {kMagnet, "telegram/telegram_adj.npz", 16233,
   "6a2f43521a946c0ef9b89fd1ebfd9f597b1b89e3d5a6c7a14a688160123f2de3"},
  {kMagnet, "telegram/telegram_labels.npy", 2088,
   "07d0ae8374c886f2eb6d295a73ed8c2a04e8bdea8979d8a2dc99ec606b0df7f1"}}};
inline constexpr std::array<SourceFile, 3> kCornell = {{
  {kGraphkan, "cornell/raw/out1_graph_edges.txt", 1989,
   "12dc60defc4f8a1f18499e3695bfd62ef0421f9b722297276e7f02dec7ae3dca"},
  {kGraphkan, "cornell/raw/out1_node_feature_label.txt", 624308,
   "38561ad44e29199a826ccef7f94f469b94a912076f83fbc453a69b8ac2b4b858"},
  {kMagnet, "cornell/raw/cornell_split_0.6_0.2_0.npz", 704,
   "14022a1e19ec7fc0a07a2c06a785a2f9dc52809dbcd1c14fc318f7800675d73f"}}};
inline constexpr std::array<SourceFile, 1> kCora = {{
  {kGedi, "cocitation/cora/cora.cites", 69928,
   "ec1a372391b7f0f60a6aff0084e8abd8f19f0faa7e1f2441a41c492042d5945e"}}};
inline constexpr std::array<SourceFile, 1> kCiteseer = {{
  {kGedi, "cocitation/citeseer/citeseer.cites", 137062,
   "cd9730630eaaa745058c2cd2cce6b9afb79ca71278a479aebec55f4cf5eb7f30"}}};


inline constexpr std::string_view kHeterophilousHome =
    "https://github.com/yandex-research/heterophilous-graphs";
inline constexpr std::string_view kGediHome = "https://github.com/Stefa1994/GeDi-HNN";
inline constexpr std::string_view kMagnetHome = "https://github.com/matthew-hirn/magnet";
inline constexpr std::string_view kGraphkanHome =
    "https://github.com/WillHua127/GraphKAN-Graph-Kolmogorov-Arnold-Networks";

struct NamedSource {
  std::string_view name;
  Source source;
};

inline constexpr std::array<NamedSource, 20> kSources = {{
  {"roman-empire",
   {Availability::download, kHeterophilousHome, "MIT", kRomanEmpire, "roman_empire.npz", ""}},
  {"amazon-ratings",
   {Availability::download, kHeterophilousHome, "MIT", kAmazonRatings, "amazon_ratings.npz", ""}},
  {"chameleon",
   {Availability::download, kHeterophilousHome, "MIT", kChameleon, "chameleon_filtered.npz", ""}},
  {"squirrel",
   {Availability::download, kHeterophilousHome, "MIT", kSquirrel, "squirrel_filtered.npz", ""}},
  {"chameleon-directed",
   {Availability::download, kHeterophilousHome, "MIT", kChameleonDirected,
    "chameleon_filtered_directed.npz", ""}},
  {"squirrel-directed",
   {Availability::download, kHeterophilousHome, "MIT", kSquirrelDirected,
    "squirrel_filtered_directed.npz", ""}},
  {"telegram",
   {Availability::download, kMagnetHome, "Apache-2.0", kTelegram, "telegram_adj.npz",
    "the download has neither the published masks nor the one feature: they are in a Python pickle"}},
  {"cornell",
   {Availability::download, kGraphkanHome, "none stated", kCornell, "",
    "the download has the first of the ten published splits"}},
  {"cora",
   {Availability::manual, kGediHome, "Apache-2.0", kCora, "",
    "only its citations can be downloaded: features and labels are in Python pickles"}},
  {"citeseer",
   {Availability::manual, kGediHome, "Apache-2.0", kCiteseer, "",
    "only its citations can be downloaded: features and labels are in Python pickles"}},
  {"texas",
   {Availability::manual, kMagnetHome, "Apache-2.0", {}, "",
    "no checksum of its public files is known here"}},
  {"wisconsin",
   {Availability::manual, kMagnetHome, "Apache-2.0", {}, "",
    "no checksum of its public files is known here"}},
  {"email-enron",
   {Availability::manual, kGediHome, "Apache-2.0", {}, "", "it is published as a Python pickle"}},
  {"email-eu",
   {Availability::manual, kGediHome, "Apache-2.0", {}, "", "it is published as a Python pickle"}},
  {"synthetic-io10",
   {Availability::manual, kGediHome, "Apache-2.0", {}, "", "it is published as a Python pickle"}},
  {"synthetic-io30",
   {Availability::manual, kGediHome, "Apache-2.0", {}, "", "it is published as a Python pickle"}},
  {"synthetic-io50",
   {Availability::manual, kGediHome, "Apache-2.0", {}, "", "it is published as a Python pickle"}},
  {"uspto-50k",
   {Availability::manual, "https://github.com/pandegroup/reaction_prediction_seq2seq", "Apache-2.0", {}, "",
    "its reactions are published as text, and the fingerprints of their molecules need a chemistry library"}},
  {"uspto-10k",
   {Availability::manual, "https://github.com/vsomnath/graphretro", "MIT", {}, "",
    "its reactions are published as text, and the fingerprints of their molecules need a chemistry library"}},
  {"molecular-2", {Availability::unavailable, "", "", {}, "", "its authors have not published it"}},
}};
// clang-format on

}  // namespace dshn::data
