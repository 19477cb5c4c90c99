import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { RotateIcon, ZoomInIcon, ZoomOutIcon } from "@/parts/icons";
import classes from "./case.module.css";
import { type Mark, type Picture, shows } from "./pictures";
import { useCaseWords } from "./texts";

const MOST_ZOOM = 6;
const STEP = 1.4;

export interface View {
  zoom: number;
  turns: number;
}
export const FIRST_VIEW: View = { zoom: 1, turns: 0 };
export const zoomed = (view: View, by: 1 | -1): View => ({
  ...view,
  zoom: Math.min(Math.max(view.zoom * (by > 0 ? STEP : 1 / STEP), 1), MOST_ZOOM),
});
export const turned = (view: View): View => ({ ...view, turns: (view.turns + 1) % 4 });

interface Props {
  picture: Picture;
  view: View;
  onView: (view: View) => void;
  /** The place that the reader points at. */
  mark: Mark | null;
  /** Places of raised signals. */
  warnings: readonly Mark[];
}

/** One picture that can be enlarged and turned, with marked places on flat pages. */
export function PictureView({ picture, view, onView, mark, warnings }: Props) {
  const words = useCaseWords();
  const queries = useQueryClient();
  const [isBroken, setBroken] = useState(false);
  const [natural, setNatural] = useState({ width: 1, height: 1 });
  const frame = useElementSize();
  const isSideways = view.turns % 2 === 1;
  // What the picture covers of the frame when it is turned.
  const covers = isSideways ? { width: natural.height, height: natural.width } : natural;
  const scale =
    view.zoom * Math.min(frame.width / covers.width, frame.height / covers.height || Infinity);
  const here = (each: Mark) => shows(picture, each);
  return (
    <figure className={classes.picture}>
      <div
        ref={frame.ref}
        className={classes.frame}
        tabIndex={0}
        role="group"
        aria-label={picture.label}
      >
        <div
          className={classes.space}
          style={{ width: covers.width * scale, height: covers.height * scale }}
        >
        <div
          className={classes.sheet}
          style={{
            width: natural.width * scale,
            height: natural.height * scale,
            rotate: `${view.turns * 90}deg`,
          }}
        >
          <img
            key={picture.id}
            src={picture.url}
            alt={picture.label}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
              setBroken(false);
              setNatural({ width, height });
            }}
            onError={() => {
              setBroken(true);
              // The link may be too old. A new one that fails, too, has another cause.
              if (!isBroken) void queries.invalidateQueries({ queryKey: ["case"] });
            }}
          />
          <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            {warnings.filter(here).map((each) => (
              <Outline key={each.corners.join()} place={each} className={classes.warning} />
            ))}
            {mark && here(mark) && <Outline place={mark} className={classes.mark} />}
          </svg>
        </div>
        </div>
      </div>
      <Group justify="space-between" mt={4} wrap="nowrap">
        <Text component="figcaption" size="sm" role={isBroken ? "alert" : undefined}>
          {isBroken ? words("pictureFailed") : picture.label}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Tool label={words("zoomOut")} onClick={() => onView(zoomed(view, -1))}>
            <ZoomOutIcon />
          </Tool>
          <Tool label={words("zoomIn")} onClick={() => onView(zoomed(view, 1))}>
            <ZoomInIcon />
          </Tool>
          <Tool label={words("rotate")} onClick={() => onView(turned(view))}>
            <RotateIcon />
          </Tool>
        </Group>
      </Group>
    </figure>
  );
}

function Outline({ place, className }: { place: Mark; className: string | undefined }) {
  const points = place.corners.map(([x, y]) => `${x},${y}`).join(" ");
  return <polygon points={points} className={className} vectorEffect="non-scaling-stroke" />;
}

interface ToolProps {
  label: string;
  onClick: () => void;
  children: React.ReactNode;
}

function Tool({ label, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
