"""Only the cases are collected here: some scripts run when they are imported."""

collect_ignore_glob = ["[!t]*.py"]
