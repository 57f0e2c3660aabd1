"""The command line: one file a sub-command, loaded when that sub-command is run."""
