/** Components that all screens share. */
import type { ButtonHTMLAttributes, ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { tell } from "./embedding";

/** A screen. Its heading gets the focus when it appears, so that screen readers read it. */
export function Screen(props: {
  name: string;
  title: string;
  children?: ComponentChildren;
  class?: string;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    tell({ type: "screen", screen: props.name });
  }, [props.name]);
  useEffect(() => {
    document.title = props.title;
  }, [props.title]);
  return (
    <section class={`screen ${props.class ?? ""}`} data-screen={props.name}>
      <h1 ref={heading} tabIndex={-1}>
        {props.title}
      </h1>
      {props.children}
    </section>
  );
}

export function Button(
  props: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: "primary" | "plain" },
): JSX.Element {
  const { kind = "primary", class: name = "", ...rest } = props;
  return <button type="button" {...rest} class={`button ${kind} ${name}`} />;
}

export type IconName =
  | "card"
  | "passport"
  | "licence"
  | "face"
  | "check"
  | "cross"
  | "clock"
  | "eye"
  | "warning"
  | "light"
  | "person"
  | "glasses";

const PATHS: Record<IconName, string> = {
  card: "M3 6h18v12H3zM6.5 14.5c.4-1.6 4.6-1.6 5 0M9 11.8a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2M14.5 10H18M14.5 13H18",
  passport: "M6 3h12v18H6zM12 13.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M8.8 10h6.4M9 17h6",
  licence: "M3 6h18v12H3zM3 9.5h18M6.5 13h4M6.5 15.5h6M15.5 13.5h2.5v2h-2.5z",
  face: "M12 21c4 0 7-4 7-9.5S16 3 12 3s-7 3-7 8.5S8 21 12 21M9.3 10.5h.01M14.7 10.5h.01M9.5 15c1.5 1.3 3.5 1.3 5 0",
  check: "M4.5 12.5l5 5 10-11",
  cross: "M6 6l12 12M18 6L6 18",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.5 2",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6",
  warning: "M12 3.5L22 20.5H2zM12 10v4.5M12 17.3h.01",
  light: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M5 19l1.7-1.7M17.3 6.7L19 5",
  person: "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c1-8 14-8 15 0",
  glasses: "M2.5 10.5h7v2a3.5 3.5 0 0 1-7 0zM14.5 10.5h7v2a3.5 3.5 0 0 1-7 0zM9.5 11.3c1.5-1 3.5-1 5 0",
};

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Spinner(): JSX.Element {
  return <span class="spinner" aria-hidden="true" />;
}
