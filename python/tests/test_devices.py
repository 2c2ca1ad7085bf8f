"""The same on every device and in both precisions: what the CPU gives in float64 is what all of them are held against."""
import numpy as np
import pytest
import torch

import dshn
from conftest import DEVICES, QUICK
from dshn import Hypergraph, nn, ops
from test_layers import Composed

#: How far float32 and float64 may be from float64 on the CPU.
PRECISION = {torch.float32: 2e-4, torch.float64: 1e-9}
everywhere = pytest.mark.parametrize("device", DEVICES)
in_both = pytest.mark.parametrize("dtype", PRECISION, ids=str)


@pytest.fixture(scope="module")
def h():
    return Hypergraph([([0, 1], [2]), [1, 3], ([4], [0, 3]), [2]], nodes=6, weights=[1, 2, 0.5, 1])


#: An operator as a function of tensors of these shapes: 6 nodes, 4 hyperedges, 9 incidences.
OPERATORS = {
    "gather_sum": (lambda h, x, c: ops.gather_sum(x, "edges", h, c), (6, 4), (9, 2)),
    "gather_mean": (lambda h, x: ops.gather_mean(x, "nodes", h), (4, 3)),
    "gather_max": (lambda h, x: ops.gather_max(x, "edges", h), (6, 3)),
    "segment_sum": (lambda h, x: ops.segment_sum(x, "nodes", h), (9, 2)),
    "segment_mean": (lambda h, x: ops.segment_mean(x, "edges", h), (9, 2)),
    "segment_max": (lambda h, x: ops.segment_max(x, "nodes", h), (9, 2)),
    "segment_softmax": (lambda h, x: ops.segment_softmax(x, "edges", h), (9, 2)),
    "expand": (lambda h, x: ops.expand(x, "edges", h), (4, 3)),
    "incidence_linear": (lambda h, x, y: ops.incidence_linear(x, y, h), (6, 3), (4, 3)),
    "member_linear": (lambda h, x, y: ops.member_linear(x, y, h), (6, 3), (6, 3)),
    "sheaf_signless": (lambda h, x, maps: ops.sheaf_signless(x, maps, 0.2, h), (6, 2, 2, 3), (9, 2, 2)),
    "sheaf_diffuse": (lambda h, x, maps, q: ops.sheaf_diffuse(x, maps, q.squeeze(), h), (6, 2, 2, 3), (9, 2), (1,)),
    "normalize_maps": (lambda h, maps: ops.normalize_maps(maps, h), (9, 2)),
    "orthogonal maps": (lambda h, x: ops.maps_from_parameters("orthogonal", x, 3), (9, 3)),
    "low-rank maps": (lambda h, x: ops.maps_from_parameters("low-rank", x, 3), (9, nn.map_length("low-rank", 3))),
    "stalk_product": (lambda h, x, weight: ops.stalk_product(x, weight), (6, 2, 2, 3), (2, 2)),
    "whiten": (lambda h, x: ops.whiten(x), (6, 2, 2, 8)),
    "complex_relu": (lambda h, x: ops.complex_relu(x), (6, 2, 2, 3)),
}


def value_and_gradients(name, h, device, dtype):
    """In float64 on the CPU, of arguments that are the same everywhere."""
    function, *shapes = OPERATORS[name]
    generator = torch.Generator().manual_seed(5)
    given = [torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in shapes]
    leaves = [tensor.to(device, dtype).requires_grad_() for tensor in given]
    value = function(h, *leaves)
    assert value.device.type == device and value.dtype == dtype
    weight = torch.randn(value.shape, generator=generator, dtype=torch.float64).to(device, dtype)
    gradients = torch.autograd.grad((value * weight).sum(), leaves)
    return [tensor.detach().cpu().double() for tensor in (value, *gradients)]


@in_both
@everywhere
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_and_their_gradients(name, device, dtype, h):
    expected = value_and_gradients(name, h, "cpu", torch.float64)

    for found, wanted in zip(value_and_gradients(name, h, device, dtype), expected):
        assert torch.allclose(found, wanted, rtol=PRECISION[dtype], atol=PRECISION[dtype])


@in_both
@everywhere
def test_layers_in_a_row(device, dtype, h):
    torch.manual_seed(2)
    network, x = Composed(h).double(), torch.randn(6, 3, dtype=torch.float64)
    expected = network(x).detach()
    network.to(device, dtype)

    value = network(x.to(device, dtype))

    assert value.device.type == device and value.dtype == dtype
    assert torch.allclose(value.detach().cpu().double(), expected, rtol=PRECISION[dtype], atol=PRECISION[dtype])
    value.square().sum().backward()
    assert all(p.grad is not None and p.grad.device.type == device for p in network.parameters())


def made(name, hypergraph):
    known = {option["name"] for entry in dshn._core.models() if entry["name"] == name for option in entry["options"]}
    torch.manual_seed(1)
    return nn.CLASSES[name](features=5, classes=3, hypergraph=hypergraph,
                            **{key: value for key, value in {"layers": 2, "hidden_width": 6}.items() if key in known})


@in_both
@everywhere
@pytest.mark.parametrize("name", nn.CLASSES)
def test_networks_say_the_same_and_learn(name, device, dtype, teams):
    x, y = torch.randn(60, 5, dtype=torch.float64), torch.tensor(teams.labels.astype("int64"))
    network = made(name, teams.hypergraph)
    expected = network.double().eval()(x).detach()
    network.to(device, dtype)
    x, y = x.to(device, dtype), y.to(device)

    value = network(x).detach()
    assert torch.allclose(value.cpu().double(), expected, rtol=10 * PRECISION[dtype], atol=10 * PRECISION[dtype])
    start = {key: tensor.detach().clone() for key, tensor in network.named_parameters()}
    optimiser = torch.optim.Adam(network.train().parameters(), lr=0.02)
    torch.nn.functional.cross_entropy(network(x), y).backward()
    optimiser.step()

    assert any(not torch.equal(tensor, start[key]) for key, tensor in network.named_parameters())
    assert all(tensor.device.type == device for tensor in network.state_dict().values())


@everywhere
@pytest.mark.parametrize("name", nn.CLASSES)
def test_states_go_from_device_to_device(name, device, teams, tmp_path):
    x = torch.randn(60, 5).to(device)
    network = made(name, teams.hypergraph).to(device).eval()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter.data, std=0.3)
    expected = network(x).detach()
    there, from_cpu = made(name, teams.hypergraph).to(device).eval(), made(name, teams.hypergraph).to(device).eval()

    there.load_state_dict(network.state_dict())
    from_cpu.load_state_dict({key: tensor.cpu() for key, tensor in network.state_dict().items()})
    network.save(tmp_path / "network.safetensors")
    stored = nn.load(tmp_path / "network.safetensors", teams.hypergraph).to(device)

    for again in (there, from_cpu, stored):
        assert torch.allclose(again(x), expected, atol=1e-6)


@everywhere
def test_training_goes_as_on_the_cpu(device, teams):
    def losses(on):
        heard = []
        run = dshn.train(teams, splits=2, preset="none", options=QUICK, device=on, callback=heard.append)
        assert run.document["device"].startswith(on)
        assert np.allclose(run.predictions.probabilities.sum(axis=1), 1)
        return sorted((epoch.split, epoch.epoch, epoch.loss) for epoch in heard)

    expected, found = losses("cpu"), losses(device)

    assert [epoch[:2] for epoch in found] == [epoch[:2] for epoch in expected]
    assert np.allclose([epoch[2] for epoch in found], [epoch[2] for epoch in expected], rtol=1e-3)


@everywhere
def test_the_network_of_a_run_says_what_the_run_says(device, teams):
    run = dshn.train(teams, splits=1, preset="none", options=QUICK, device=device)
    network = run.model()

    assert next(network.parameters()).device.type == "cpu"
    with torch.no_grad():
        said = torch.softmax(network.to(device)(*(x.to(device) for x in run.inputs)).double(), dim=1)
    assert np.allclose(said.cpu().numpy(), run.predictions.probabilities, atol=1e-5)
