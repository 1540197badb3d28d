"""Writers of other people's logs, in their exact shape, for tests of the readers."""
