#pragma once

namespace dshn::ops {

/// torch.classes.dshn.Incidence. Every file that registers an operator asks for it, because none may come
/// before it.
void register_incidence_class();

}  // namespace dshn::ops
