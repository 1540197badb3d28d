"""Reports: pure functions from a run or a verdict to lines of text, one format a file."""
