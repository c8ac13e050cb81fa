"""What the benchmarks share: measuring, peers, a window to be measured."""
