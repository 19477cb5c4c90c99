"""The camera of a synthetic person, for chromium's fake device.

The device plays a Y4M file over and over, and reads every frame when it is due. So the file, of one
frame or a few, is rewritten in place while it plays, and the page sees a card that is held up, or a
face that follows what the page asks for.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page

from acredita.domain.liveness.challenge import Move
from acredita.engines.face.find import find_face
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_peak
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document

Pixels = NDArray[np.uint8]

SEED = 7
FRAMES_A_SECOND = 15
DOCUMENTS = {
    "front": SpecimenKind.INE_FRONT,
    "back": SpecimenKind.INE_BACK,
    "passport": SpecimenKind.PASSPORT,
}
TABLE = (58, 74, 91)
WALL = (119, 119, 119)
# The same in each process, which has a service of its own: a run draws them once.
TAKES = count(1)
# Seconds from a prompt to the move, and to its end.
MOVES_FROM, MOVES_TO = 0.4, 1.0
# Of each value of a pixel: up to three more.
SENSOR_NOISE = 3
# Pixels to the right of its place, frame by frame. Few, so that the card's sides stay in view, and
# seven places, so that a page that looks every second, third or fourth frame never sees the same
# place twice running.
SHAKEN = (0, 72, -48, 24, -72, 48, -24)
# Whether the screen lights the face in a colour: before the first one it is white.
COLOURED = """
(() => {
  const light = document.querySelector(".light");
  return !!light && light.style.backgroundColor !== "rgb(255, 255, 255)";
})()
"""
ASKED = "document.querySelector('[data-screen=liveness-camera] [data-move]')?.dataset.move ?? null"


@cache
def picture(name: str, person: int = SEED) -> Pixels:
    """A document of the person; BGR."""
    return draw_document(DOCUMENTS[name], make_person(person)).pixels


@cache
def face_at(move: Move, take: int, person: int = SEED) -> Pixels:
    """The face of the person amid a move; BGR."""
    return draw_peak(face_of(make_person(person)), move, take=take)


# Outer and inner corners of the eyes in the mesh.
EYES = ((33, 133), (263, 362))


def with_dark_glasses(picture: Pixels) -> Pixels:
    """The face (BGR) behind lenses that let 15 % of the light through."""
    face = find_face(picture)
    assert face is not None
    lenses = np.zeros(picture.shape[:2], np.uint8)
    for outer, inner in EYES:
        ends = face.points[outer, :2], face.points[inner, :2]
        wide = float(np.linalg.norm(ends[0] - ends[1]))
        x, y = (ends[0] + ends[1]) / 2
        centre, size = (int(x), int(y + 0.1 * wide)), (int(0.95 * wide), int(0.7 * wide))
        cv2.ellipse(lenses, centre, size, 0, 0, 360, 255, -1)
    return np.where(lenses[..., None] > 0, picture * 0.15, picture).astype(np.uint8)


def with_noise(picture: Pixels, random: np.random.Generator) -> Pixels:
    """As a sensor sees it. `integers` takes ten times as long, and this is for each frame."""
    noise = np.frombuffer(random.bytes(picture.size), np.uint8) & SENSOR_NOISE
    return cv2.add(picture, noise.reshape(picture.shape))


class Scene(Protocol):
    @property
    def size(self) -> tuple[int, int]: ...

    # Whether the same frames are played until there is another scene.
    is_still: bool

    def frames(self) -> list[Pixels]: ...


def planks(size: tuple[int, int]) -> Pixels:
    """A wooden table top; BGR."""
    height = size[1]
    random = np.random.default_rng(SEED)
    grain = cv2.resize(random.standard_normal((240, 6)), size, interpolation=cv2.INTER_CUBIC)
    shades = random.uniform(-12, 12, 4).repeat(-(-height // 4))[:height]
    top = np.array(TABLE) + 9 * grain[..., None] + shades[:, None, None]
    top[:: height // 4] = 20
    return np.clip(top, 0, 255).astype(np.uint8)


def tilted(picture: Pixels) -> Pixels:
    """As a camera sees it that looks from below."""
    height, width = picture.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    leaning = flat + np.array([[0.14, 0], [-0.14, 0], [0, 0], [0, 0]], np.float32) * width
    turned = cv2.getPerspectiveTransform(flat, leaning)
    return cv2.warpPerspective(picture, turned, (width, height), borderValue=TABLE)


@dataclass
class Table:
    """A card on a table, where the viewfinder wants it; without a name, the table alone."""

    name: str
    fault: str = ""
    person: int = SEED
    # As a phone's camera sees it that is held upright.
    is_upright: bool = False
    is_still = True

    @property
    def size(self) -> tuple[int, int]:
        return (1440, 2560) if self.is_upright else (1600, 1200)

    def frames(self) -> list[Pixels]:
        # Played by the browser, a hand trembles on a busy machine as well.
        shakes = SHAKEN if self.fault == "shake" else (0,)
        return [self._frame(shake) for shake in shakes]

    def _frame(self, shake: int) -> Pixels:
        width, height = self.size
        # An upright screen shows this part of the picture, and the outline above its middle.
        seen_width = int(0.8 * width) if self.is_upright else width
        middle = int((0.42 if self.is_upright else 0.5) * height)
        is_wooden = self.fault == "wood"
        seen = planks(self.size) if is_wooden else np.full((height, width, 3), TABLE, np.uint8)
        if self.name:
            card = picture(self.name, self.person)
            share = {"far": 0.5, "near": 1.5}.get(self.fault, 0.88)
            wide = int(seen_width * share)
            high = wide * card.shape[0] // card.shape[1]
            left, top = (width - wide) // 2 + shake, middle - high // 2
            card = cv2.resize(card, (wide, high), interpolation=cv2.INTER_AREA)
            # What does not fit is not seen.
            card = card[max(0, -top) : height - top, max(0, -left) : width - left]
            left, top = max(0, left), max(0, top)
            seen[top : top + card.shape[0], left : left + card.shape[1]] = card
        if self.fault == "glare":
            place = width // 2 + seen_width // 10, middle - seen_width * 3 // 80
            cv2.circle(seen, place, seen_width * 3 // 32, (255,) * 3, -1)
        if self.fault == "tilt":
            return tilted(seen)
        if self.fault == "blur":
            return cv2.GaussianBlur(seen, (0, 0), 8)
        return seen if self.fault != "dark" else (seen * 0.15).astype(np.uint8)


class Face:
    """A face at rest, which makes the move that is asked for, and comes back for the next."""

    is_still = False

    def __init__(self, person: int = SEED, *, is_upright: bool = False) -> None:
        self._person = person
        # An upright screen shows the middle of the picture: the face is as large there.
        self.size, self._share = ((480, 640), 0.75) if is_upright else ((640, 480), 1.0)
        self._asked, self._since = Move.LOOK_STRAIGHT, 0.0
        # Never the same twice: frames that were sent before are taken for a replay.
        self._random = np.random.default_rng()
        self._take = next(TAKES)

    def ask(self, move: Move) -> None:
        if move is not self._asked:
            self._asked, self._since = move, time.monotonic()

    def draw(self, moves: Iterable[Move] = Move) -> None:
        """Draw them before they are asked for: drawing one takes longer than making it."""
        for move in moves:
            face_at(move, self._take, self._person)

    def follow(
        self,
        page: Page,
        *,
        skips_light: bool = False,
        press: Callable[[Locator], None] = Locator.click,
    ) -> None:
        """Press the button, and do what the challenge's screen asks for, until it is gone: moves
        that are drawn.
        `skips_light`: but do without the colours after the first one."""
        press(page.get_by_role("button", name="Empezar"))
        page.locator("[data-screen=liveness-camera]").wait_for()
        while (asked := page.evaluate(ASKED)) is not None:
            self.ask(Move(asked or Move.LOOK_STRAIGHT))
            if skips_light and not asked and page.evaluate(COLOURED):
                press(page.get_by_role("button", name="Omitir los colores"))
            page.wait_for_timeout(1000 / FRAMES_A_SECOND)

    def frames(self) -> list[Pixels]:
        width, height = self.size
        is_making = MOVES_FROM < time.monotonic() - self._since < MOVES_TO
        move = self._asked if is_making else Move.LOOK_STRAIGHT
        still = face_at(move, self._take, self._person)
        high = int(height * self._share)
        wide = high * still.shape[1] // still.shape[0]
        face = cv2.resize(still, (wide, high), interpolation=cv2.INTER_AREA)
        # Nobody stands like a statue, and no sensor is without noise.
        x, y = self._random.uniform(-1, 1, 2)
        moved = np.float32([[1, 0, (width - wide) / 2 + x], [0, 1, (height - high) / 2 + y]])
        seen = cv2.warpAffine(face, moved, self.size, borderValue=WALL)
        return [with_noise(seen, self._random)]


@dataclass
class People:
    """People before a wall who look straight ahead, side by side; each picture (BGR) has this share
    of the frame's height."""

    pictures: Sequence[Pixels]
    share: float = 1.0
    # Pixels that they stand to the right of their places.
    aside: int = 0
    size = (640, 480)
    is_still = False

    def __post_init__(self) -> None:
        self._random = np.random.default_rng(SEED)
        self._seen = self._draw()

    def frames(self) -> list[Pixels]:
        return [with_noise(self._seen, self._random)]

    def _draw(self) -> Pixels:
        width, height = self.size
        high = int(height * self.share)
        seen = np.full((height, width, 3), WALL, np.uint8)
        for number, picture in enumerate(self.pictures, start=1):
            wide = high * picture.shape[1] // picture.shape[0]
            left = max(0, number * width // (len(self.pictures) + 1) - wide // 2 + self.aside)
            wide, top = min(wide, width - left), (height - high) // 2
            person = cv2.resize(picture, (wide, high), interpolation=cv2.INTER_AREA)
            seen[top : top + high, left : left + wide] = person
        return seen


@dataclass
class Nobody:
    """A table without anyone, as a sensor with noise sees it, or as a frozen picture."""

    is_still: bool
    # BGR, of this size; otherwise a wall.
    ground: Pixels | None = None
    size: tuple[int, int] = (640, 480)

    def __post_init__(self) -> None:
        self._random = np.random.default_rng(SEED)

    def frames(self) -> list[Pixels]:
        width, height = self.size
        wall = np.full((height, width, 3), WALL, np.uint8)
        return [with_noise(wall if self.ground is None else self.ground, self._random)]


class Camera:
    """What the device sees; `path` is its file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("wb", buffering=0)
        self._lock = Lock()
        self._is_resting = False
        self._scene: Scene = Table("")
        self.see(self._scene)

    @property
    def arguments(self) -> list[str]:
        """Of the browser's command line. Pages still need the permission."""
        return [
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={self.path}",
        ]

    def see(self, scene: Scene) -> None:
        """A scene of another size, only while no page has the camera open."""
        with self._lock:
            self._scene, self._is_resting = scene, False
            self._write()

    def rest(self) -> None:
        """Draw no more frames until there is another scene: each takes time of the processor."""
        self._is_resting = True

    def show(
        self, name: str = "", fault: str = "", person: int = SEED, *, is_upright: bool = False
    ) -> None:
        self.see(Table(name, fault, person, is_upright))

    def pose(self, person: int = SEED, *, is_upright: bool = False) -> Face:
        face = Face(person, is_upright=is_upright)
        self.see(face)
        return face

    def _write(self) -> None:
        width, height = self._scene.size
        head = f"YUV4MPEG2 W{width} H{height} F{FRAMES_A_SECOND}:1 Ip A1:1 C420\n"
        planes = [cv2.cvtColor(each, cv2.COLOR_BGR2YUV_I420) for each in self._scene.frames()]
        content = head.encode() + b"".join(b"FRAME\n" + each.tobytes() for each in planes)
        self._file.seek(0)
        self._file.write(content)
        self._file.truncate()

    def close(self) -> None:
        self._file.close()

    def play(self, stopped: Event) -> None:
        while not stopped.wait(1 / FRAMES_A_SECOND):
            with self._lock:
                if not self._scene.is_still and not self._is_resting:
                    self._write()


@contextmanager
def camera(folder: Path) -> Iterator[Camera]:
    made, stopped = Camera(folder / "camera.y4m"), Event()
    thread = Thread(target=made.play, args=(stopped,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        stopped.set()
        thread.join()
        made.close()
