"""Every compiled game against its slow, obvious oracle: one suite for all games."""
