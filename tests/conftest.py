"""What holds for all tests.

On a new machine Matplotlib lists the fonts once; a slow one says so on stderr, which would then
stand among the outputs of whichever notebook came first. So it is done here, before any runs.
"""

import matplotlib.font_manager  # noqa: F401
