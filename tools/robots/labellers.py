# SPDX-License-Identifier: MIT
"""Other methods for seeds of several labels, for comparison: watershed and random walker. Both take samples ([y, x, 3],
[y, x] or [z, y, x], values 0 .. 255) and seeds (0 none, 1 .. K), and give each sample a label."""
import numpy as np
from scipy import ndimage
from scipy.sparse import coo_matrix, diags
from scipy.sparse.linalg import cg


def channels_of(samples, seeds):
    return [samples] if samples.ndim == seeds.ndim else list(np.moveaxis(samples, -1, 0))


def watershed(samples, seeds, sigma=1):
    """Applies SciPy's image foresting transform to the length of the gradient."""
    slope = np.sqrt(sum(ndimage.gaussian_gradient_magnitude(c.astype(float), sigma) ** 2
                        for c in channels_of(samples, seeds)))
    slope = (255 * np.clip(slope / max(np.percentile(slope, 99.5), 1e-9), 0, 1)).astype(np.uint8)
    return ndimage.watershed_ift(slope, seeds.astype(np.int16)).astype(np.uint8)


def random_walker(samples, seeds, beta=130):
    """Grady (PAMI 2006): each sample gets the label whose seeds a random walker from it most probably reaches first.
    Samples are scaled to 0 .. 1, weights are exp(-beta d^2 / 10 s), where s is the samples' standard deviation; solved
    by conjugate gradients."""
    channels = [c / 255.0 for c in channels_of(samples, seeds)]
    number = np.arange(seeds.size).reshape(seeds.shape)
    starts, ends, apart = [], [], []
    for axis in range(seeds.ndim):
        low = tuple(slice(None, -1) if a == axis else slice(None) for a in range(seeds.ndim))
        high = tuple(slice(1, None) if a == axis else slice(None) for a in range(seeds.ndim))
        starts.append(number[low].ravel())
        ends.append(number[high].ravel())
        apart.append(sum((c[low] - c[high]).ravel() ** 2 for c in channels))
    starts, ends, apart = (np.concatenate(a) for a in (starts, ends, apart))
    scale = beta / (10 * max(np.std(channels), 1e-9) * np.sqrt(len(channels)))
    weights = np.exp(-scale * apart) + 1e-6
    linked = coo_matrix((np.r_[weights, weights], (np.r_[starts, ends], np.r_[ends, starts])),
                        shape=(seeds.size, seeds.size)).tocsr()
    laplacian = (diags(np.asarray(linked.sum(1)).ravel()) - linked).tocsr()
    given, found = seeds.ravel(), seeds.ravel().copy()
    free, known = np.flatnonzero(given == 0), np.flatnonzero(given)
    rows = laplacian[free]
    system, sides = rows[:, free].tocsr(), rows[:, known]
    ahead = diags(1 / system.diagonal())
    labels = np.unique(given[known])
    chances = [cg(system, -sides @ (given[known] == label).astype(float), tol=1e-3, maxiter=500, M=ahead)[0]
               for label in labels]
    found[free] = labels[np.argmax(chances, 0)]
    return found.reshape(seeds.shape)
