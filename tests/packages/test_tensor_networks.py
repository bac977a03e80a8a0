"""Tensor networks of quimb, cotengra and symmray, which reach mlx.core by autoray, against those on NumPy."""

import autoray
import cotengra
import numpy as np
import pytest
import quimb
import quimb.tensor as qtn
import symmray

import mlx.core as mx


def on_mlx(network):
    """The network with arrays of mlx.core, or one array."""
    convert = lambda x: mx.array(np.asarray(x, np.complex64 if np.iscomplexobj(x) else np.float32))
    if isinstance(network, np.ndarray):
        return convert(network)
    network = network.copy()
    network.apply_to_arrays(convert)
    return network


def same(got, want, tolerance=1e-4):
    assert isinstance(got, mx.array)
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


@pytest.fixture(params=["float32", "complex64"])
def state(request):
    return qtn.MPS_rand_state(8, 4, dtype=request.param, seed=1)


def test_norm_and_values(state):
    ours = on_mlx(state)
    same(ours.H @ ours, state.H @ state)
    np.testing.assert_allclose(ours.schmidt_values(4), state.schmidt_values(4), rtol=1e-4)  # NumPy's in both
    np.testing.assert_allclose(ours.entropy(4), state.entropy(4), rtol=1e-4)
    same(ours.to_dense(), state.to_dense())
    z = quimb.pauli("Z").real.astype(state.dtype)
    same(ours.H @ ours.gate(on_mlx(np.asarray(z)), 3), state.H @ state.gate(z, 3))


def test_canonical_and_compressed(state):
    ours = on_mlx(state)
    turned = ours.copy()
    turned.left_canonize()
    same(ours.H @ turned, 1)
    assert turned.calc_current_orthog_center() == (7, 7)
    smaller, want = ours.copy(), state.copy()
    smaller.compress(max_bond=2)
    want.compress(max_bond=2)
    assert smaller.max_bond() == 2
    same(abs(smaller.H @ ours), abs(want.H @ state))


def test_contraction_of_a_grid():
    grid = qtn.PEPS.rand(3, 3, 2, seed=1, dtype="float32")
    ours = on_mlx(grid)
    want = (grid.H & grid).contract(all)
    same((ours.H & ours).contract(all, optimize="auto-hq"), want)
    same((ours.H & ours).contract_boundary(max_bond=8), want)
    ising = qtn.TN2D_classical_ising_partition_function(4, 4, 0.3)
    same(on_mlx(ising) ^ all, ising ^ all)


def test_gradient_through_a_network():
    state = on_mlx(qtn.MPS_rand_state(6, 3, seed=2, dtype="float32"))
    target = on_mlx(qtn.MPS_rand_state(6, 3, seed=5, dtype="float32"))
    arrays, skeleton = qtn.pack(state)

    def infidelity(arrays):
        network = qtn.unpack(arrays, skeleton)
        return 1 - (network.H @ target) ** 2 / (network.H @ network)

    step = mx.value_and_grad(infidelity)
    first, _ = step(arrays)
    for _ in range(100):
        value, gradients = step(arrays)
        arrays = {name: arrays[name] - 0.2 * gradients[name] for name in arrays}
    assert first.item() > 0.9 and value.item() < 0.2


def test_circuit():
    """Gates on a matrix product state; a whole state needs `indices`, which autoray does not have for mlx."""
    convert = lambda x: mx.array(np.asarray(x, np.complex64))
    ours, theirs = qtn.CircuitMPS(5, to_backend=convert), qtn.CircuitMPS(5)
    for circuit in (ours, theirs):
        circuit.h(0)
        for i in range(4):
            circuit.cx(i, i + 1)
        circuit.rx(0.4, 3)
        circuit.rz(0.3, 1)
    same(ours.psi.to_dense(), theirs.psi.to_dense())


def lattice():
    inputs, output, _, sizes = cotengra.utils.lattice_equation([4, 4], seed=1)
    arrays = cotengra.utils.make_arrays_from_inputs(inputs, sizes, seed=1)
    return inputs, output, sizes, [x.astype(np.float32) for x in arrays]


def test_cotengra_trees():
    inputs, output, sizes, arrays = lattice()
    search = cotengra.HyperOptimizer(max_repeats=4, progbar=False, parallel=False, methods=["greedy"])
    tree = search.search(inputs, output, sizes)
    want = tree.contract(arrays)
    ours = [mx.array(x) for x in arrays]
    same(tree.contract(ours), want)
    sliced = tree.slice(target_size=8)
    assert sliced.nslices > 1
    same(sliced.contract(ours), want)
    compiled = mx.compile(lambda *arrays: tree.contract(arrays))
    same(compiled(*ours), want)
    # The value is linear in each array.
    gradient = mx.grad(lambda *arrays: tree.contract(arrays))(*ours)
    same(mx.sum(gradient * ours[0]), want)


def test_cotengra_einsum():
    x, y, z = (np.random.default_rng(i).normal(size=(4, 4)).astype(np.float32) for i in range(3))
    same(cotengra.einsum("ab,bc,cd->ad", *map(mx.array, (x, y, z))), x @ y @ z)


@pytest.mark.parametrize("symmetry", ["Z2", "U1"])
@pytest.mark.parametrize("kind", ["abelian", "fermionic"])
def test_symmray(kind, symmetry):
    make = getattr(symmray, f"PEPS_{kind}_rand")
    grid = make(symmetry, 2, 3, 4, phys_dim=4, seed=1, dtype="float32")
    ours = on_mlx(grid)
    assert autoray.infer_backend(next(iter(ours.arrays[0].blocks.values()))) == "mlx"
    same((ours.H & ours).contract(all), (grid.H & grid).contract(all))
