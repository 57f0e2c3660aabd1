from __future__ import annotations

import hypothesis

# The first example of a property may have to compile; what a failure needs is printed.
hypothesis.settings.register_profile("azul-ai", deadline=None, print_blob=True)
hypothesis.settings.load_profile("azul-ai")
