import { Box } from "@mantine/core";
import { type ReactNode, useDeferredValue, useEffect, useRef } from "react";

// Pixels that each place had last.
const heights = new Map<string, number>();

interface Props {
  /** Of which part the height is remembered. */
  place: string;
  /** The height before the first time, in pixels. */
  h?: number;
  children: ReactNode;
}

/**
 * The larger part of a room. It appears after the frame that shows the rest, so that a click or a
 * key gets its answer at once: React renders it in pieces, and the browser paints between them.
 * Until then its place has the height that it had last, so that the way back leads to the same line.
 */
export function Soon({ place, h, children }: Props) {
  const isDue = useDeferredValue(true, false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isDue || box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) heights.set(place, entry.contentRect.height);
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isDue, place]);
  return (
    <Box ref={box} aria-busy={!isDue} mih={isDue ? undefined : (heights.get(place) ?? h)}>
      {isDue && children}
    </Box>
  );
}
