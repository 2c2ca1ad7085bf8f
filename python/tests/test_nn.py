import copy
import pickle

import numpy as np
import pytest
import torch

import dshn
from conftest import DEVICES, LACKS_EIGENVALUES
from dshn import nn

SMALL = {"layers": 2, "hidden_width": 6, "dropout": 0}


def small_options(name):
    known = {option["name"] for entry in dshn._core.models() if entry["name"] == name for option in entry["options"]}
    return {key: value for key, value in SMALL.items() if key in known}


@pytest.fixture(scope="module")
def given(teams):
    torch.manual_seed(0)
    return teams.hypergraph, torch.randn(teams.hypergraph.n_nodes, 5), torch.tensor(teams.labels.astype("int64"))


def make(name, hypergraph, **options):
    torch.manual_seed(1)
    return nn.CLASSES[name](features=5, classes=3, hypergraph=hypergraph, **{**small_options(name), **options})


def test_there_are_dshn_its_light_form_and_thirteen_others():
    assert nn.DSHN.model_name == "dshn" and nn.DSHNLight.model_name == "dshn-light"
    assert {"HGNN", "HNHN", "UniGCNII", "LEGCN", "HyperND", "AllDeepSets", "AllSetTransformer", "EDHNN", "SheafHyperGNN",
            "PhenomNN", "GeDiHNN", "DHGNN", "DHGNNEmb"} <= {made.__name__ for made in nn.CLASSES.values()}


@pytest.mark.parametrize("name", nn.CLASSES)
def test_every_network_learns_in_a_python_loop(name, given):
    hypergraph, x, y = given
    network = make(name, hypergraph)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    losses = []
    for _ in range(40):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())

    assert losses[-1] < 0.95 * losses[0]
    assert network(x).shape == (60, 3)


@pytest.mark.parametrize("name", nn.CLASSES)
def test_state_and_files_give_the_same_bits(name, given, tmp_path):
    hypergraph, x, _ = given
    network = make(name, hypergraph).eval()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter.data, std=0.3)
    expected = network(x)
    other = make(name, hypergraph).eval()

    other.load_state_dict(network.state_dict())
    network.save(tmp_path / "network.safetensors")

    assert torch.equal(other(x), expected)
    assert torch.equal(nn.load(tmp_path / "network.safetensors", hypergraph)(x), expected)
    assert torch.equal(copy.deepcopy(network)(x), expected)


def test_parameters_are_those_of_the_library(given):
    network = make("dshn", given[0])
    names = [name for name, _ in network.named_parameters()]

    assert names and sorted(names) == sorted(name for name, _ in network._model.parameters())
    first = next(iter(network.parameters()))
    with torch.no_grad():
        first.add_(1)
    assert torch.equal(dict(network._model.parameters())[names[0]], first)


@pytest.mark.parametrize("name", nn.CLASSES)
def test_double_reaches_parameters_and_buffers(name, given):
    hypergraph, x, _ = given
    network = make(name, hypergraph).double()

    assert network(x.double()).dtype == torch.float64
    with pytest.raises(dshn.UsageError, match="float32"):
        network(x)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", nn.CLASSES)
def test_there_and_back_again(name, device, given):
    hypergraph, x, y = given
    network = make(name, hypergraph).eval()
    expected = network(x)

    moved = network.to(device)
    assert torch.allclose(moved(x.to(device)).cpu(), expected, atol=1e-4)
    torch.nn.functional.cross_entropy(moved(x.to(device)), y.to(device)).backward()
    assert all(parameter.device.type == device for parameter in moved.parameters())
    assert torch.equal(network.cpu()(x), expected)


def test_dropout_acts_in_training_only_and_follows_torchs_seed(given):
    hypergraph, x, _ = given
    network = make("dshn", hypergraph, dropout=0.5)
    again = make("dshn", hypergraph, dropout=0.5)
    first, second = network(x), network(x)

    assert not torch.equal(first, second)
    assert torch.equal(again(x), first) and torch.equal(again(x), second)
    network.eval()
    assert torch.equal(network(x), network(x))


def test_gradients_reach_the_features(given):
    hypergraph, x, _ = given
    network = make("dshn", hypergraph).eval().double()
    x = x[:, :5].double().requires_grad_()
    weight = torch.randn(60, 3, dtype=torch.float64)
    (network(x) * weight).sum().backward()
    step = torch.randn_like(x) * 1e-5

    with torch.no_grad():
        difference = ((network(x + step) - network(x - step)) * weight).sum()

    assert torch.isclose((x.grad * step).sum() * 2, difference, rtol=1e-3)


def test_a_changed_feature_is_noticed(given):
    hypergraph, x, _ = given
    network, x = make("hypernd", hypergraph).eval(), x.clone()
    before = network(x)
    x[:10] *= 3

    assert not torch.equal(network(x), before)
    assert torch.equal(network(x), network(x.clone()))


def test_another_hypergraph_may_stand_in(given):
    hypergraph, x, _ = given
    network = make("dshn", hypergraph).eval()

    turned = network(x, hypergraph=hypergraph.reversed())

    assert not torch.equal(turned, network(x))
    assert torch.equal(network(x, hypergraph=hypergraph), network(x))


def test_hyperedges_are_classified_too(given):
    hypergraph, x, _ = given
    network = nn.DSHN(features=5, classes=2, hypergraph=hypergraph, target="hyperedges", **SMALL)

    assert network(x).shape == (hypergraph.n_hyperedges, 2)


def test_given_features_of_hyperedges(given):
    hypergraph, x, _ = given
    network = nn.DSHN(features=5, classes=2, hypergraph=hypergraph, edge_features=4, hyperedge_features="given", **SMALL)

    assert network(x, torch.randn(hypergraph.n_hyperedges, 4)).shape == (60, 2)
    with pytest.raises(dshn.UsageError, match="edge_x is missing"):
        network(x)


def test_part_of_a_larger_network(given):
    hypergraph, x, y = given

    class Mixed(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.before = torch.nn.Linear(5, 8)
            self.dshn = nn.DSHN(features=8, classes=6, hypergraph=hypergraph, **SMALL)
            self.after = torch.nn.Linear(6, 3)

        def forward(self, rows):
            return self.after(torch.relu(self.dshn(torch.relu(self.before(rows)))))

    torch.manual_seed(0)
    network = Mixed()
    start = {name: parameter.detach().clone() for name, parameter in network.named_parameters()}
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    losses = []
    for _ in range(30):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())

    assert losses[-1] < 0.8 * losses[0]
    moved = [name for name, parameter in network.named_parameters() if not torch.equal(parameter, start[name])]
    assert "before.weight" in moved and any(name.startswith("dshn.") for name in moved)
    network.load_state_dict(network.state_dict())


def test_layers_learned_sheaves_are_laplacians(given):
    hypergraph, x, _ = given
    sheaves = make("dshn", hypergraph, d=2).sheaves(x)

    assert len(sheaves) == 2 and all(sheaf.shape == (120, 120) for sheaf in sheaves)
    assert LACKS_EIGENVALUES or sheaves[0].eigenvalues(1)[0] >= -1e-9


@pytest.mark.parametrize("options", [{"q": "learn-per-hyperedge"}, {"normalisation": "degree"}])
def test_sheaves_that_are_no_laplacian_are_refused(options, given):
    with pytest.raises(dshn.UsageError, match="no Laplacian"):
        make("dshn", given[0], **options).sheaves(given[1])


def test_pickling_is_refused_with_what_to_do_instead(given):
    with pytest.raises(dshn.UsageError, match="save"):
        pickle.dumps(make("hgnn", given[0]))


@pytest.mark.parametrize("arguments, message", [
    (dict(features=0, classes=2), "features"), (dict(features=3, classes="two"), "classes"),
    (dict(features=3, classes=2, target="arcs"), "target"), (dict(features=3, classes=2, depth=3), "depth"),
    (dict(features=3, classes=2, layers=-1), "layers"), (dict(features=3, classes=2, q="north"), "north")])
def test_wrong_arguments_are_named(arguments, message, given):
    with pytest.raises(dshn.UsageError, match=message):
        nn.DSHN(hypergraph=given[0], **arguments)


def test_numbers_may_be_numpys(given):
    network = nn.HGNN(features=np.int64(5), classes=given[2].numpy().max() + 1, hypergraph=given[0])

    assert network(given[1]).shape == (60, 3)


def test_wrong_features_are_named(given):
    network = make("dshn", given[0])
    for wrong in (torch.randn(60, 4), torch.randn(59, 5), torch.randn(5), torch.zeros(60, 5, dtype=torch.int64), [1], None):
        with pytest.raises(dshn.UsageError, match="x"):
            network(wrong)


def test_help_comes_from_the_registry():
    import inspect
    assert "stalk dimension" in nn.DSHN.__doc__
    options = next(entry["options"] for entry in dshn._core.models() if entry["name"] == "dshn")
    layers = next(option for option in options if option["name"] == "layers")
    assert inspect.signature(nn.DSHN).parameters["layers"].default == int(layers["default"])


def test_options_that_are_not_decayed(given):
    network = make("dshn", given[0], q="learn")
    decayed, free = network.parameter_groups(0.1)

    assert len(free["params"]) == 1 and free["weight_decay"] == 0
    assert len(decayed["params"]) == len(list(network.parameters())) - 1
