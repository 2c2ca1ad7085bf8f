// Two chemical reactions as directed hyperedges, and the Laplacian of a sheaf on them: its spectrum, and how smooth a
// signal is.
#include <ATen/ATen.h>

#include <cstdio>
#include <dshn/base/random.hpp>
#include <dshn/hypergraph/builder.hpp>
#include <dshn/sheaf/directed_sheaf.hpp>
#include <dshn/sheaf/maps.hpp>
#include <dshn/sheaf/signals.hpp>
#include <dshn/sheaf/spectrum.hpp>

int main() {
  using dshn::Name;
  using dshn::Role;
  namespace sheaf = dshn::sheaf;

  // 2 H2 + O2 -> 2 H2O, and H2O + CO2 -> H2CO3.
  dshn::HypergraphBuilder builder;
  for (const char* reactant : {"hydrogen", "oxygen"}) {
    builder.incidence(Name::string("burning"), Name::string(reactant), Role::tail);
  }
  builder.incidence(Name::string("burning"), Name::string("water"), Role::head);
  for (const char* reactant : {"water", "carbon dioxide"}) {
    builder.incidence(Name::string("dissolving"), Name::string(reactant), Role::tail);
  }
  builder.incidence(Name::string("dissolving"), Name::string("carbonic acid"), Role::head);
  const dshn::Hypergraph reactions = builder.build();

  // Stalks of dimension 2, a random diagonal map for each incidence, charge 1/4: tails are turned by 90 degrees.
  constexpr int kStalk = 2;
  dshn::Random random(0);
  const at::Tensor maps =
      sheaf::random_maps(sheaf::map_kind("diagonal"), reactions.incidence_count(), kStalk, random);
  const sheaf::DirectedSheaf laplacian(reactions, 0.25, maps, kStalk);

  // The operator is applied without being assembled; its quadratic form is the Dirichlet energy.
  const at::Tensor x = sheaf::random_signal(laplacian, 1);
  const at::Tensor image = laplacian.apply(sheaf::Form::L_N, x);
  std::printf("%d nodes, %d hyperedges, %lld rows\n", reactions.node_count(), reactions.edge_count(),
              static_cast<long long>(laplacian.dimension()));
  std::printf("x'L_N x = %.6f\n", (x * image).sum().item<double>());
  std::printf("energy  = %.6f\n", laplacian.dirichlet_energy(x).item<double>());

  if (sheaf::has_spectrum()) {
    for (const double value : sheaf::extreme_eigenpairs(laplacian, {.count = 4}).values) {
      std::printf("eigenvalue %.6f\n", value);
    }
  }
}
