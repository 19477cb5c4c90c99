/** The camera, opened and closed with the component that shows it. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { boot } from "../boot";

export type CameraState = "starting" | "live" | "denied" | "none";
export type Facing = "environment" | "user";

const WISHES: Record<Facing, MediaTrackConstraints> = {
  // A card's small print needs the resolution; browsers limit it to what the camera has.
  environment: { facingMode: { ideal: "environment" }, width: { ideal: 2560 }, height: { ideal: 1440 } },
  user: { facingMode: { ideal: "user" }, width: { ideal: 960 }, height: { ideal: 720 } },
};

export interface OpenCamera {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
  retry: () => void;
  /** null: the camera has none. */
  torch: { isOn: boolean; toggle: () => void } | null;
}

// Not in the standard's types: an extension of W3C's Image Capture.
interface WithTorch {
  torch?: boolean;
}

export function useCamera(facing: Facing, wanted = true): OpenCamera {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>("starting");
  const [attempt, setAttempt] = useState(0);
  const [torch, setTorch] = useState<{ track: MediaStreamTrack; isOn: boolean } | null>(null);
  useEffect(() => {
    // A preview asks nobody for their camera.
    if (!wanted || boot.previewOf !== null) return undefined;
    let stream: MediaStream | null = null;
    let isGone = false;
    const lost = () => !isGone && setState("none");
    const open = async () => {
      setState("starting");
      try {
        stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: WISHES[facing] });
        if (isGone) return close(stream);
        const track = stream.getVideoTracks()[0]!;
        track.addEventListener("ended", lost);
        setTorch(hasTorch(track) ? { track, isOn: false } : null);
        const player = video.current!;
        player.srcObject = stream;
        await player.play();
        if (!isGone) setState("live");
      } catch (reason) {
        if (!isGone) setState(isRefusal(reason) ? "denied" : "none");
      }
    };
    void open();
    return () => {
      isGone = true;
      if (stream) close(stream);
    };
  }, [facing, wanted, attempt]);
  const toggle = async () => {
    const { track, isOn } = torch!;
    const wish: MediaTrackConstraintSet & WithTorch = { torch: !isOn };
    await track.applyConstraints({ advanced: [wish] });
    setTorch({ track, isOn: !isOn });
  };
  return {
    video,
    state,
    retry: () => setAttempt(attempt + 1),
    torch: torch && { isOn: torch.isOn, toggle: () => void toggle().catch(() => setTorch(null)) },
  };
}

const hasTorch = (track: MediaStreamTrack): boolean =>
  // Firefox has no such method.
  !!(track.getCapabilities?.() as WithTorch | undefined)?.torch;

const close = (stream: MediaStream): void => stream.getTracks().forEach((track) => track.stop());

const isRefusal = (reason: unknown): boolean =>
  reason instanceof DOMException && ["NotAllowedError", "SecurityError"].includes(reason.name);
