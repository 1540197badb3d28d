"""What benchmarks of pytest runs share: a project of any size, and how a run is measured."""
