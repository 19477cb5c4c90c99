import { useState } from "react";
import classes from "./case.module.css";
import type { Mark, Picture } from "./pictures";

// Of a page of this height in pixels, so that three lines are as tall as three lines.
const PAGE_HEIGHT = 560;

/** The piece of a page that a value was read from, beside the value. */
export function Piece({ page, mark }: { page: Picture; mark: Mark }) {
  const [pageRatio, setPageRatio] = useState<number | null>(null);
  const across = mark.corners.map(([x]) => x);
  const down = mark.corners.map(([, y]) => y);
  const left = Math.min(...across);
  const top = Math.min(...down);
  const width = Math.max(...across) - left;
  const height = Math.max(...down) - top;
  const ratio = ((pageRatio ?? 1) * width) / height;
  return (
    <span
      className={classes.piece}
      style={{ width: `min(100%, ${ratio * height * PAGE_HEIGHT}px)`, aspectRatio: ratio }}
      hidden={pageRatio === null}
    >
      <img
        src={page.url}
        // The value beside it says the same.
        alt=""
        style={{
          width: `${100 / width}%`,
          height: `${100 / height}%`,
          left: `${(-100 * left) / width}%`,
          top: `${(-100 * top) / height}%`,
        }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setPageRatio(naturalWidth / naturalHeight)
        }
      />
    </span>
  );
}
