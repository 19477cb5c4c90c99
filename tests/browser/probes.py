"""Programs that tests run in pages, to see what people see."""

# WCAG 2.2, 2.5.8 asks for 24; a thumb asks for more.
LEAST_TARGET = 44
SMALL_TARGETS = f"""
    [...document.querySelectorAll("button, a.button, label.button, label.agree, footer a")]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.textContent, each.getBoundingClientRect()])
        .filter(([, box]) => Math.min(box.width, box.height) < {LEAST_TARGET})
        .map(([words, box]) => [words, box.width, box.height])
"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# The points of the outline for a document or a face that are off the screen or behind something.
COVERED = """
    [...document.querySelectorAll(".stage .outline")].flatMap((outline) => {
        const { left, top, right, bottom } = outline.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
        const points = [[left, y], [right, y], [x, top], [x, bottom]];
        if (!outline.closest(".face")) points.push(...corners);
        // Within its border.
        const inwards = (at, middle) => at + 2 * Math.sign(middle - at);
        return points.filter((point) => {
            const seen = document.elementFromPoint(inwards(point[0], x), inwards(point[1], y));
            return !seen?.closest(".stage");
        });
    })
"""
# Collects the colours of the outline and of the progress on the screens of the camera.
COLOURS = """
window.outlines = new Set();
window.steps = new Set();
new MutationObserver(() => {
  for (const each of document.querySelectorAll(".stage .outline"))
    window.outlines.add(getComputedStyle(each).borderColor);
  for (const each of document.querySelectorAll(".steps i"))
    window.steps.add(getComputedStyle(each).backgroundColor);
}).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
"""
# A camera with a torch, and what the page wishes of it.
TORCH = """
window.wishes = [];
MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) =>
  void window.wishes.push(...advanced);
"""
# A phone's browser of 2022 that may not compile WebAssembly.
OLD = "delete globalThis.WebAssembly; delete AbortSignal.any; delete Array.prototype.toSorted;"
# Before each look, the late answer to one of a screen that is gone: it saw two people.
LATE = """
window.Worker = class extends Worker {
  postMessage(...asked) {
    const seen = { faces: [{}, {}], light: 119, milliseconds: 9 };
    this.dispatchEvent(new MessageEvent("message", { data: { type: "seen", number: 0, seen } }));
    super.postMessage(...asked);
  }
};
"""
# A computer without a camera; its browser keeps nothing for the page, as in frames elsewhere.
BARE = """
MediaDevices.prototype.enumerateDevices = async () => [];
Object.defineProperty(window, "sessionStorage", {
  get() { throw new DOMException("", "SecurityError"); },
});
"""
SHADOW = "getComputedStyle(document.querySelector('.stage .outline')).boxShadow"
# Networks that take half a second for each look.
SLOW = """
window.Worker = class extends Worker {
  addEventListener(type, listener, options) {
    super.addEventListener(type, (event) => {
      if (event.data?.type === "seen") event.data.seen.milliseconds = 500;
      listener(event);
    }, options);
  }
};
"""
# How far the mark is from the drawn reflection, in widths and heights of the camera's picture.
BESIDE_GLARE = """
(() => {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const seen = document.querySelector(".stage video").getBoundingClientRect();
  const [x, y] = middle(document.querySelector(".glare").getBoundingClientRect());
  return [(x - seen.left) / seen.width - 0.6, (y - seen.top) / seen.height - 0.45];
})()
"""
# The theme's colour of success, as computed colours are written.
SUCCESS = """
(() => {
  const sample = document.body.appendChild(document.createElement("i"));
  sample.style.color = "var(--success)";
  return getComputedStyle(sample).color;
})()
"""
# A phone's browser turns the camera's picture with the phone; the fake camera is cut to size.
UPRIGHT = """
const { getUserMedia } = MediaDevices.prototype;
MediaDevices.prototype.getUserMedia = function ({ video, ...rest }) {
  const turned = { ...video, width: video.height, height: video.width };
  return getUserMedia.call(this, { ...rest, video: turned });
};
"""
# Collects how far the middle of the face's oval is from the one of the picture, in heights of the
# picture.
OVALS = """
window.ovals = [];
window.noteOval = () => {
  const [oval, seen] = ["outline", "seen"]
    .map((name) => document.querySelector(`[data-screen=liveness-camera] .${name}`))
    .map((each) => each?.getBoundingClientRect());
  if (oval)
    window.ovals.push((oval.top + oval.bottom - seen.top - seen.bottom) / 2 / seen.height);
};
new MutationObserver(window.noteOval).observe(document, {
  childList: true, subtree: true, attributes: true, characterData: true,
});
"""
