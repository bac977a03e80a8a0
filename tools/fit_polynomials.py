#!/usr/bin/env python3
"""Computes the minimax polynomials of mlx/backend/cpu/isa/math_*.h and prints them as C++ arrays.

Remez exchange (Cheney, Introduction to Approximation Theory, 1966, chapter 3) in 50-digit arithmetic: the
polynomial p of the given degree that minimises max |w(x) (f(x) - p(x))|, w chosen so that this is the
relative error of the function built from p. Needs mpmath and numpy. Usage: fit_polynomials.py [NAME ...]
"""

import sys

import mpmath as mp
import numpy as np

mp.mp.dps = 50


def remez(f, w, lo, hi, degree, iterations=12):
    n = degree + 2
    points = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * k / (n - 1)) for k in range(n)]
    grid = [lo + (hi - lo) * (1 - mp.cos(mp.pi * k / 600)) / 2 for k in range(601)]
    floor = max(abs(w(x)) for x in grid) * mp.mpf(10) ** -4  # a weight of zero would make the system singular
    weight = lambda x: max(abs(w(x)), floor)
    fs, ws = [f(x) for x in grid], [weight(x) for x in grid]
    for _ in range(iterations):
        a = mp.matrix(n, n)
        b = mp.matrix(n, 1)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                a[i, j] = x**j
            a[i, degree + 1] = (-1) ** i / weight(x)
            b[i] = f(x)
        solution = mp.lu_solve(a, b)
        coefficients = [solution[j] for j in range(degree + 1)]
        errors = [wx * (fx - mp.polyval(coefficients[::-1], x)) for x, fx, wx in zip(grid, fs, ws)]
        extrema = []  # the largest error of each run of equal signs
        for x, e in zip(grid, errors):
            if extrema and (extrema[-1][1] > 0) == (e > 0):
                if abs(e) > abs(extrema[-1][1]):
                    extrema[-1] = (x, e)
            else:
                extrema.append((x, e))
        while len(extrema) > n:
            extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
        if len(extrema) < n:
            break
        points = [x for x, _ in extrema]
    return coefficients, max(abs(e) for e in errors)


def quotient(numerator, order, series):
    """numerator(x) / x^order with a series near zero, where the quotient cancels."""

    def f(x):
        if abs(x) < mp.mpf(10) ** -6:
            return sum(c * x**k for k, c in enumerate(series))
        with mp.workdps(80):
            return numerator(x) / x**order

    return f


def odd(function, order_two_coefficient, series):
    """g with function(r) = r + r z g(z), z = r^2."""
    return lambda z: (
        (
            sum(c * z**k for k, c in enumerate(series))
            if z < mp.mpf(10) ** -10
            else (function(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
        )
        + order_two_coefficient
    )


def odd_weight(function):
    return lambda z: mp.mpf(z) if z < mp.mpf(10) ** -20 else z * mp.sqrt(z) / function(mp.sqrt(z))


def series_of(function, count):
    return mp.taylor(function, 0, count)


def fit_odd(function, limit, degree):
    taylor = series_of(function, 9)
    return remez(odd(function, 0, taylor[3::2]), odd_weight(function), mp.mpf(0), mp.mpf(limit) ** 2, degree)


LN2 = mp.log(2)
SQRT2 = mp.sqrt(2)
# log(m) = 2 atanh(s), s = (m - 1) / (m + 1)
LOG_S = (SQRT2 - 1) / (SQRT2 + 1) * mp.mpf("1.0001")


def fit_exp(degree):
    half = LN2 / 2 * mp.mpf("1.0005")
    f = quotient(lambda r: mp.expm1(r) - r, 2, [1 / mp.factorial(k + 2) for k in range(8)])
    w = lambda r: r * r / mp.exp(r)
    return remez(f, w, -half, half, degree)


def fit_expm1(degree):
    half = LN2 / 2 * mp.mpf("1.0005")
    f = quotient(lambda r: mp.expm1(r) - r, 2, [1 / mp.factorial(k + 2) for k in range(8)])
    w = lambda r: r if abs(r) < mp.mpf(10) ** -20 else r * r / mp.expm1(r)
    return remez(f, w, -half, half, degree)


def fit_log_f32(degree):
    """log(1 + f) = f - f^2 / 2 + f^3 P(f)."""
    f = quotient(lambda v: mp.log1p(v) - v + v * v / 2, 3, [(-1) ** k / mp.mpf(k + 3) for k in range(8)])
    w = lambda v: v * v if abs(v) < mp.mpf(10) ** -20 else v**3 / mp.log1p(v)
    return remez(f, w, 1 / SQRT2 - 1, SQRT2 - 1, degree)


def fit_log_tail(degree):
    """atanh(s) = s + s z / 3 + s z^2 P(z)."""

    def f(z):
        if z < mp.mpf(10) ** -8:
            return sum(z**k / mp.mpf(2 * k + 5) for k in range(6))
        s = mp.sqrt(z)
        return ((mp.atanh(s) / s - 1) / z - mp.mpf(1) / 3) / z

    def w(z):
        return z * z if z < mp.mpf(10) ** -20 else z**2 * mp.sqrt(z) / mp.atanh(mp.sqrt(z))

    return remez(f, w, mp.mpf(0), LOG_S**2, degree)


def fit_cos(limit, degree):
    """cos(r) = 1 - z / 2 + z^2 P(z)."""
    f = lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2 if z > 1e-10 else mp.mpf(1) / 24 - z / 720
    return remez(f, lambda z: z * z / mp.cos(mp.sqrt(z)), mp.mpf(0), mp.mpf(limit) ** 2, degree)


def fit_erf_small(limit, degree):
    """erf(x) = x + x P(z)."""
    f = lambda z: (mp.erf(mp.sqrt(z)) / mp.sqrt(z) if z > 0 else 2 / mp.sqrt(mp.pi)) - 1
    return remez(f, lambda z: 1 / (f(z) + 1), mp.mpf(0), mp.mpf(limit) ** 2, degree)


def fit_erfc_log(lo, hi, degree):
    """erf(x) = 1 - exp(P(x)): the error that matters is that of exp(P) against erf, near 1."""
    f = lambda x: mp.log(mp.erfc(x))
    return remez(f, lambda x: mp.erfc(x) / mp.erf(x), mp.mpf(lo), mp.mpf(hi), degree)


def fit_erfinv_center(limit, degree):
    """erfinv(x) = x P(w), w = -log(1 - x^2) <= limit."""

    def f(w):
        if w < mp.mpf(10) ** -12:
            return mp.sqrt(mp.pi) / 2 * (1 + mp.pi / 12 * w)
        x = mp.sqrt(-mp.expm1(-w))
        return mp.erfinv(x) / x

    return remez(f, lambda w: 1 / f(w), mp.mpf(0), mp.mpf(limit), degree)


def fit_erfinv_tail(lo, hi, degree):
    """erfinv(x) = x P(sqrt(w))."""

    def f(s):
        w = s * s
        x = mp.sqrt(-mp.expm1(-w))
        return (
            mp.findroot(
                lambda t: mp.log(mp.erfc(t)) - mp.log(-mp.expm1(mp.log1p(-mp.exp(-w)) / 2)), mp.sqrt(w) * 0.9
            )
            / x
        )

    return remez(f, lambda s: 1 / f(s), mp.sqrt(lo), mp.sqrt(hi), degree)


FITS = {
    "expm1_f64": ("double", lambda: fit_expm1(9)),
    "expm1_short_f64": ("double", lambda: fit_expm1(5)),
    "expm1_long_f64": ("double", lambda: fit_expm1(10)),
    "sinh_f64": ("double", lambda: fit_odd(mp.sinh, mp.mpf(1), 6)),
    "log_f64": ("double", lambda: fit_odd(mp.atanh, LOG_S, 6)),
    "log_short_f64": ("double", lambda: fit_odd(mp.atanh, LOG_S, 4)),
    "log_tail_f64": ("double", lambda: fit_log_tail(6)),
    "sin_pi2_f64": ("double", lambda: fit_odd(mp.sin, mp.pi / 2 * mp.mpf("1.0001"), 4)),
    "sin_pi4_f64": ("double", lambda: fit_odd(mp.sin, mp.pi / 4 * mp.mpf("1.0001"), 3)),
    "sin_pi4_long_f64": ("double", lambda: fit_odd(mp.sin, mp.pi / 4 * mp.mpf("1.0001"), 5)),
    "cos_pi4_f64": ("double", lambda: fit_cos(mp.pi / 4 * mp.mpf("1.0001"), 3)),
    "cos_pi4_long_f64": ("double", lambda: fit_cos(mp.pi / 4 * mp.mpf("1.0001"), 5)),
    "arctan_f64": ("double", lambda: fit_odd(mp.atan, mp.mpf("0.4376"), 10)),
    "arcsin_f64": ("double", lambda: fit_odd(mp.asin, mp.mpf("0.5001"), 7)),
    "arcsin_long_f64": ("double", lambda: fit_odd(mp.asin, mp.mpf("0.5001"), 12)),
    "erfinv_center_f64": ("double", lambda: fit_erfinv_center(5, 11)),
    "erfinv_tail_f64": ("double", lambda: fit_erfinv_tail(5, 16.7, 11)),
    "exp_f32": ("float", lambda: fit_exp(4)),
    "expm1_f32": ("float", lambda: fit_expm1(5)),
    "sinh_f32": ("float", lambda: fit_odd(mp.sinh, mp.mpf(1), 3)),
    "log_f32": ("float", lambda: fit_log_f32(7)),
    "tanh_f32": ("float", lambda: fit_odd(mp.tanh, mp.mpf("0.625"), 4)),
    "arctan_f32": ("float", lambda: fit_odd(mp.atan, mp.mpf("0.4376"), 5)),
    "erf_small_f32": ("float", lambda: fit_erf_small(1, 6)),
    "erf_log_f32": ("float", lambda: fit_erfc_log(1, 3.95, 7)),
}


def main():
    names = sys.argv[1:] or list(FITS)
    for name in names:
        kind, fit = FITS[name]
        coefficients, error = fit()
        print(f"// {name}: error 2^{float(mp.log(error, 2)):.1f}")
        if kind == "float":
            texts = [np.format_float_scientific(np.float32(float(c))) + "f" for c in coefficients]
        else:
            texts = [repr(float(c)) for c in coefficients]
        print(f"constexpr {kind} k[] = {{{', '.join(texts)}}};", flush=True)


if __name__ == "__main__":
    main()
