"""Layers and optimizers: mlx-graphs, mlx-snn, mlx-optimizers, e3nn-mlx, convlstm-mlx, mlx-image."""

import e3nn_mlx
import mlx_graphs.nn as gnn
import mlx_optimizers
import mlxsnn
import numpy as np
import pytest
from convlstm_mlx import ConvLSTM
from mlx_graphs.data import GraphData
from mlx_graphs.data.batch import GraphDataBatch
from mlxim.model import create_model

import mlx.core as mx
import mlx.nn as nn
from mlx.utils import tree_flatten


def train(model, loss, optimizer, steps):
    """The losses of some steps; `loss` takes the model."""
    step = nn.value_and_grad(model, lambda: loss(model))
    losses = []
    for _ in range(steps):
        value, grads = step()
        optimizer.update(model, grads)
        mx.eval(model.parameters(), optimizer.state)
        losses.append(value.item())
    assert np.isfinite(losses).all()
    return losses


# Graphs -----------------------------------------------------------------------------------------------------

EDGES = mx.array([[0, 1, 2, 3, 4, 0, 2], [1, 2, 3, 4, 0, 3, 0]])
LAYERS = {
    "gcn": lambda: gnn.GCNConv(4, 4, add_self_loops=True),
    "gat": lambda: gnn.GATConv(4, 2, heads=2),
    "gatv2": lambda: gnn.GATv2Conv(4, 2, heads=2),
    "sage": lambda: gnn.SAGEConv(4, 4),
    "gin": lambda: gnn.GINConv(nn.Linear(4, 4), learn_eps=True),
    "simple": lambda: gnn.SimpleConv(),
}


@pytest.mark.parametrize("name", LAYERS)
def test_graph_layers_train(name):
    mx.random.seed(0)
    layer, head = LAYERS[name](), nn.Linear(4, 2)
    model = nn.Sequential(nn.Linear(4, 4), head)
    model.conv = layer
    x, labels = mx.random.normal((5, 4)), mx.array([0, 1, 0, 1, 1])

    def loss(model):
        hidden = model.conv(EDGES, nn.relu(model.layers[0](x)))
        return nn.losses.cross_entropy(model.layers[1](hidden), labels, reduction="mean")

    losses = train(model, loss, mlx_optimizers.DiffGrad(learning_rate=0.03), 40)
    assert losses[-1] < 0.6 * losses[0]


def test_graph_sage_against_numpy():
    layer, x = gnn.SAGEConv(4, 3), mx.random.normal((5, 4))
    source, target = np.array(EDGES)
    values, mean = np.array(x), np.zeros((5, 4))
    for node in range(5):
        mean[node] = values[source[target == node]].mean(0)
    weights = {name: np.array(value) for name, value in tree_flatten(layer.parameters())}
    want = values @ weights["self_proj.weight"].T + mean @ weights["neigh_proj.weight"].T
    np.testing.assert_allclose(np.array(layer(EDGES, x)), want + weights.get("self_proj.bias", 0), atol=1e-5)


def test_graph_batch_and_pooling():
    graphs = [GraphData(edge_index=EDGES, node_features=mx.full((5, 2), float(i))) for i in range(3)]
    batch = GraphDataBatch(graphs)
    assert batch.num_graphs == 3 and batch.edge_index.shape == (2, 21)
    pooled = gnn.global_mean_pool(batch.node_features, batch.batch_indices)
    np.testing.assert_allclose(np.array(pooled), [[0, 0], [1, 1], [2, 2]])
    assert mx.array_equal(batch[1].edge_index, EDGES).item()


# Spiking ----------------------------------------------------------------------------------------------------

NEURONS = {
    "leaky": lambda: mlxsnn.Leaky(beta=0.9, threshold=1.0),
    "if": lambda: mlxsnn.IF(threshold=1.0),
    "synaptic": lambda: mlxsnn.Synaptic(alpha=0.8, beta=0.9),
    "alpha": lambda: mlxsnn.Alpha(alpha=0.9, beta=0.8),
    "alif": lambda: mlxsnn.ALIF(),
    "izhikevich": lambda: mlxsnn.Izhikevich(),
}


@pytest.mark.parametrize("name", NEURONS)
def test_spiking_neurons(name):
    neuron = NEURONS[name]()
    state = neuron.init_state(2, 3)
    drive = 30.0 if name == "izhikevich" else 0.3
    spikes = []
    for _ in range(60):
        out, state = neuron(mx.full((2, 3), drive), state)
        spikes.append(out)
    total = mx.stack(spikes)
    assert set(np.unique(np.array(total))) == {0.0, 1.0}


def test_spiking_leaky_against_numpy():
    neuron = mlxsnn.Leaky(beta=0.9, threshold=1.0)
    state = neuron.init_state(1, 1)
    membrane = 0.0
    for step in range(30):
        spike, state = neuron(mx.full((1, 1), 0.3), state)
        membrane = 0.9 * membrane + 0.3
        fired = membrane >= 1.0
        membrane -= fired
        assert spike.item() == fired, step
        assert state["mem"].item() == pytest.approx(membrane, abs=1e-5)


def test_spiking_network_trains():
    mx.random.seed(0)
    model = nn.Sequential(nn.Linear(16, 32), mlxsnn.Leaky(beta=0.9), nn.Linear(32, 2))
    x, labels = mx.random.uniform(shape=(32, 16)), mx.arange(32) % 2
    spikes = mlxsnn.rate_encode(x + labels[:, None] * 0.3, num_steps=10)

    def loss(model):
        hidden, neuron, out = model.layers
        state, total = neuron.init_state(32, 32), 0
        for spike in spikes:
            fired, state = neuron(hidden(spike), state)
            total = total + out(fired)
        return nn.losses.cross_entropy(total, labels, reduction="mean")

    losses = train(model, loss, mlx_optimizers.QHAdam(learning_rate=0.01), 60)
    assert losses[-1] < 0.5 * losses[0]


# Optimizers -------------------------------------------------------------------------------------------------

RATES = dict.fromkeys(["ADOPT", "DiffGrad", "Kron", "Lamb", "MARS", "Muon", "QHAdam"], 0.02)
RATES |= {"MADGRAD": 0.005, "Shampoo": 0.1}


@pytest.mark.parametrize("name", RATES)
def test_optimizers(name):
    mx.random.seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    x = mx.random.normal((64, 8))
    y = mx.tanh(x @ mx.random.normal((8, 4)))
    optimizer = getattr(mlx_optimizers, name)(learning_rate=RATES[name])
    losses = train(model, lambda model: nn.losses.mse_loss(model(x), y), optimizer, 100)
    assert losses[-1] < 0.5 * losses[0]


# Others -----------------------------------------------------------------------------------------------------


def rotation():
    rotated, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))
    return mx.array((rotated * np.sign(np.linalg.det(rotated))).astype(np.float32))


def test_equivariance():
    """Turning the input turns the output by the matrices of its representation."""
    from e3nn_mlx import o3

    linear = o3.Linear("4x0e + 4x1o", "2x0e + 3x1o")
    x = mx.random.normal((5, linear.irreps_in.dim))
    turn_in, turn_out = (i.D_from_matrix(rotation()) for i in (linear.irreps_in, linear.irreps_out))
    got, want = linear(x @ turn_in.T), linear(x) @ turn_out.T
    np.testing.assert_allclose(np.array(got), np.array(want), atol=1e-4)


def test_spherical_harmonics_are_orthonormal():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(20000, 3)).astype(np.float32)
    harmonics = np.array(e3nn_mlx.spherical_harmonics([0, 1, 2], mx.array(points), use_custom_kernel=False))
    np.testing.assert_allclose(harmonics.T @ harmonics / len(points), np.eye(9), atol=0.15)


def test_convlstm():
    model = ConvLSTM(3, 4, kernel_size=3)
    out = model(mx.random.normal((2, 5, 8, 8, 3)))
    arrays = [value for _, value in tree_flatten(out)]
    assert arrays and all(mx.isfinite(array).all().item() for array in arrays)


@pytest.mark.parametrize("name", ["resnet18", "vit_base_patch32_224", "efficientnet_b0", "regnet_y_400mf"])
def test_image_models(name):
    model = create_model(name, weights=False, num_classes=10)
    model.eval()
    x = mx.random.normal((1, 224, 224, 3))
    out = model(x)
    assert out.shape == (1, 10) and mx.isfinite(out).all().item()
    np.testing.assert_allclose(np.array(mx.compile(model)(x)), np.array(out), atol=1e-3)
