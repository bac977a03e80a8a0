"""mlx3d: rotations against SciPy, meshes, distances, and what it renders without Metal kernels."""

import numpy as np
import scipy.spatial
from mlx3d import cameras, losses, ops, renderer, splatting, transforms
from scipy.spatial.transform import Rotation

import mlx.core as mx

rng = np.random.default_rng(0)


def numbers(*shape):
    return rng.normal(size=shape).astype(np.float32)


def same(got, want, tolerance=1e-5):
    assert isinstance(got, mx.array)
    np.testing.assert_allclose(np.array(got), want, rtol=tolerance, atol=tolerance)


def test_rotations():
    turns = numbers(6, 3)
    want = Rotation.from_rotvec(turns).as_matrix()
    a = mx.array(turns)
    same(transforms.axis_angle_to_matrix(a), want)
    same(transforms.quaternion_to_matrix(transforms.axis_angle_to_quaternion(a)), want)
    same(transforms.rotation_6d_to_matrix(transforms.matrix_to_rotation_6d(mx.array(want, mx.float32))), want)
    moved = mx.concatenate([a, 0.3 * a], 1)
    same(transforms.se3_log_map(transforms.se3_exp_map(moved)), np.array(moved))


def test_chamfer_distance():
    x, y = numbers(20, 3), numbers(30, 3)
    squares = scipy.spatial.distance.cdist(x, y) ** 2
    got = losses.chamfer_distance(mx.array(x[None]), mx.array(y[None]))[0]
    same(got, squares.min(0).mean() + squares.min(1).mean(), 1e-4)


def sphere():
    return ops.sdf_to_mesh(lambda points: ops.sdf_sphere(points, radius=1.0), resolution=20)


def test_marching_cubes():
    radii = np.linalg.norm(np.array(sphere().verts_packed()), axis=1)
    assert radii.size > 500 and radii.min() > 0.98 and radii.max() < 1.001


def camera():
    turn, move = cameras.look_at(mx.array([0.0, 0, 3]), mx.zeros(3), mx.array([0.0, 1, 0]))
    return cameras.Camera(turn, move, 40.0, 40.0, 16.0, 16.0, 32, 32)


def test_soft_rendering_and_its_gradient():
    square = mx.array([[-0.8, -0.8, 0], [0.8, -0.8, 0], [0.8, 0.8, 0], [-0.8, 0.8, 0]])
    faces = mx.array([[0, 1, 2], [0, 2, 3]])
    alpha = lambda points, sigma: renderer.render_mesh_soft(camera(), points, faces, sigma=sigma)["alpha"]
    # Of 0.8 / 3 * 40 pixels to each side of the middle. A face that is surely there covers 1 - 1 / e.
    away = np.abs(np.mgrid[:32, :32] + 0.5 - 16).max(0)
    seen = np.array(alpha(square, 1e-3))
    np.testing.assert_allclose(seen[away < 10], 1 - 1 / np.e, atol=0.01)
    assert seen[away > 11.5].max() < 0.01
    whole = lambda scale: alpha(scale * square, 0.1).sum()
    difference = (whole(1.01) - whole(0.99)) / 0.02
    np.testing.assert_allclose(mx.grad(whole)(mx.array(1.0)).item(), difference.item(), rtol=0.01)


def test_gaussians_come_to_a_picture():
    """A step of gradient descent after the other, by the renderer that is plain operations."""
    n = 12
    points, colors = mx.array(0.4 * numbers(n, 3)), mx.array(rng.random((n, 3)), mx.float32)
    turns, sizes, opacities = mx.array([[1.0, 0, 0, 0]] * n), mx.full((n, 3), 0.2), mx.full(n, 0.8)

    def picture(points, colors):
        return splatting.render_gaussians_reference(camera(), points, turns, sizes, opacities, colors)[
            "image"
        ]

    target = picture(points, colors)
    guess = [points + 0.1 * mx.array(numbers(n, 3)), mx.full((n, 3), 0.5)]
    step = mx.value_and_grad(lambda p, c: mx.mean((picture(p, c) - target) ** 2), argnums=(0, 1))
    first, _ = step(*guess)
    for _ in range(100):
        value, gradients = step(*guess)
        guess = [x - rate * g for x, rate, g in zip(guess, (1.0, 20.0), gradients, strict=True)]
    assert value.item() < 0.1 * first.item()
    same(losses.psnr(target, target + 0.1), 20, 1e-3)
