"""Which chromium tests, screenshots and benchmarks start, and how."""

import shutil

# The pop-ups of the address bar are pages of their own. Each window loads them, which takes 1.4 of
# its 1.7 seconds of processor time. The list replaces Playwright's: the others are from there.
UNUSED = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
)
BROWSER_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    f"--disable-features={','.join(UNUSED)}",
    # All other hosts are unresolvable.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)

CHROMIUM = shutil.which("chromium")
# The same engine without the browser's own windows: half the processor time of a page. Nobody can
# refuse it a camera.
HEADLESS_SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
