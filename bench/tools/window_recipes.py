"""Recipes for measuring the window: live frames, many items, and a project of a gigabyte."""

STREAMING = """
format = 2
[data]
open = "three-gaussians"
params = { n = 10000 }
truth = "cloud"
[[step]]
name = "plane"
use = "embedder/pca"
of = "data"
[[step]]
name = "similarity"
use = "graph/knn"
of = "data"
params = { neighbours = 20, weights = "affinity" }
[[step]]
name = "groups"
use = "clusterer/dominant-sets"
of = "similarity"
params = { k = 3, dynamics = "replicator", max_iterations = 1500 }
[[step]]
name = "order"
use = "ranker/membership"
of = "groups"
"""

MANY = """
format = 2
[data]
open = "three-gaussians"
params = { n = 50000 }
truth = "cloud"
[[step]]
name = "plane"
use = "embedder/pca"
of = "data"
[[step]]
name = "others"
use = "clusterer/kmeans"
of = "data"
params = { k = 4 }
[[step]]
name = "groups"
use = "clusterer/gaussian-mixture"
of = "data"
params = { k = 3, restarts = 1 }
[[step]]
name = "order"
use = "ranker/distance"
of = ["data", "groups"]
params = { scope = "within-cluster" }
"""

LARGE = """
format = 2
[data]
open = "three-gaussians"
params = { n = 7500 }
truth = "cloud"
"""
LARGE_STEP = """
[[step]]
name = "similarity {number}"
use = "kernel/gaussian"
of = "data"
params = {{ sigma = 0.{number}5 }}
"""
