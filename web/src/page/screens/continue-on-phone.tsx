/** Offers to continue on the phone, and follows it there. On a phone it shows only the screen. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { View } from "../api";
import { hasCamera, isAway, isComputer, setAway } from "../devices";
import { lazyComponent } from "../lazy";
import { Button } from "../components";
import { useTexts } from "../texts";
import type { HandOverProps } from "./hand-over";

const HandOver = lazyComponent<HandOverProps>(() => import("./hand-over").then(({ HandOver }) => HandOver));

export function ContinueOnPhone(props: { view: View; children: ComponentChildren }): JSX.Element {
  const { view } = props;
  const t = useTexts().handOver;
  const [away, setIsAway] = useState(isAway === true);
  const needsCamera = ["upload", "liveness"].includes(view.next.action);
  const go = (isNow: boolean) => {
    setAway(isNow);
    setIsAway(isNow);
  };
  useEffect(() => {
    // Once: a person who comes back to this computer stays.
    if (!isComputer || !needsCamera) return;
    void hasCamera().then((has) => {
      if (!has && isAway === null) go(true);
    });
  }, [needsCamera]);
  const isOpened = view.handOver?.state === "opened";
  if (away && (needsCamera || isOpened)) {
    return <HandOver view={view} onHere={() => go(false)} />;
  }
  return (
    <>
      {props.children}
      {isComputer && needsCamera && (
        <p class="hand-over-offer">
          <Button kind="plain" onClick={() => go(true)}>
            {t.offer}
          </Button>
        </p>
      )}
    </>
  );
}
