import { useNavigate } from "@tanstack/react-router";
import { useStatusText } from "@/parts/StatusBadge";
import classes from "./case.module.css";
import type { Link } from "./queries";
import { useCaseWords } from "./texts";
import { useWireWord } from "./wireWords";

// In units of the drawing. A phone shows it at three quarters of its size.
const WIDTH = 460;
const ROW = 64;
const NODE = { width: 130, height: 44 };
const MOST = 12;

/** This verification, what it shares (in the middle), and the verifications that share it. */
export function LinkGraph({ id, links }: { id: string; links: readonly Link[] }) {
  const words = useCaseWords();
  const wireWord = useWireWord();
  const statusText = useStatusText();
  const navigate = useNavigate();
  const shown = links.slice(0, MOST);
  const shared = [...new Set(shown.flatMap(({ via }) => via))];
  const rows = Math.max(shown.length, shared.length, 1);
  const height = rows * ROW;
  const y = (place: number, count: number) => ((place + 0.5) / count) * height;
  const middle = WIDTH / 2;
  const right = WIDTH - NODE.width;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      className={classes.graph}
      role="group"
      aria-label={words("linkGraph")}
    >
      {shared.map((kind, place) => (
        <path
          key={kind}
          className={classes.edge}
          d={curve(NODE.width, height / 2, middle - 48, y(place, shared.length))}
        />
      ))}
      {shown.flatMap((link, row) =>
        link.via.map((kind) => (
          <path
            key={`${link.verificationId} ${kind}`}
            className={classes.edge}
            d={curve(
              middle + 48,
              y(shared.indexOf(kind), shared.length),
              right,
              y(row, shown.length),
            )}
          />
        )),
      )}
      <Node x={0} y={height / 2} title={id.slice(0, 8)} detail={words("thisOne")} />
      {shared.map((kind, place) => (
        <text key={kind} x={middle} y={y(place, shared.length) + 4} className={classes.shared}>
          {wireWord(kind)}
        </text>
      ))}
      {shown.map((link, row) => {
        const open = () =>
          void navigate({ to: "/case/$id", params: { id: link.verificationId }, search: {} });
        return (
          <g
            key={link.verificationId}
            role="link"
            tabIndex={0}
            className={classes.linked}
            // It begins with the text that shows.
            aria-label={`${link.verificationId.slice(0, 8)} ${statusText(link.status)}, ${words(
              "sharedBy",
              { what: link.via.map(wireWord).join(", ") },
            )}`}
            onClick={open}
            onKeyDown={(event) => event.key === "Enter" && open()}
          >
            <Node
              x={right}
              y={y(row, shown.length)}
              title={link.verificationId.slice(0, 8)}
              detail={statusText(link.status)}
            />
          </g>
        );
      })}
    </svg>
  );
}

const curve = (x1: number, y1: number, x2: number, y2: number) => {
  const bend = (x1 + x2) / 2;
  return `M${x1},${y1} C${bend},${y1} ${bend},${y2} ${x2},${y2}`;
};

function Node({ x, y, title, detail }: { x: number; y: number; title: string; detail: string }) {
  return (
    <g transform={`translate(${x} ${y - NODE.height / 2})`} className={classes.node}>
      <rect width={NODE.width} height={NODE.height} rx={6} />
      <text x={NODE.width / 2} y={19}>
        {/* The blank keeps the two lines apart where they are one name. */}
        {`${title} `}
      </text>
      <text x={NODE.width / 2} y={36} className={classes.detail}>
        {detail}
      </text>
    </g>
  );
}
