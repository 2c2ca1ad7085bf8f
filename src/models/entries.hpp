#pragma once

#include "dshn/models/registry.hpp"

/// One function per model, each in the file that holds the model: a new model is a file, a line here and a
/// line in registry.cpp.
namespace dshn::models {

ModelEntry hgnn_entry();
ModelEntry hnhn_entry();
ModelEntry unigcnii_entry();
ModelEntry legcn_entry();
ModelEntry hypernd_entry();
ModelEntry alldeepsets_entry();
ModelEntry allset_transformer_entry();
ModelEntry dshn_entry();
ModelEntry dshn_light_entry();
ModelEntry ed_hnn_entry();
ModelEntry sheaf_hypergnn_entry();
ModelEntry phenomnn_entry();
ModelEntry gedi_hnn_entry();
ModelEntry dhgnn_entry();
ModelEntry dhgnn_emb_entry();
ModelEntry components_entry();
ModelEntry head_share_entry();

}  // namespace dshn::models
