/** One picture, from the camera or a file, which the person reviews and accepts. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { chosenFiles } from "../api";
import { boot } from "../boot";
import { prepare, UnusableFile } from "../camera/pictures";
import type { Guide } from "../camera/stage";
import type { CameraState } from "../camera/stream";
import { Viewfinder } from "../camera/viewfinder";
import { SentPicture } from "../sent-pictures";
import { Button, Icon, Screen, Spinner } from "../components";
import { useTexts } from "../texts";

export type ShotKind = "front" | "back" | "passport" | "licence" | "selfie" | "proofOfAddress";

const GUIDES: Record<ShotKind, Guide> = {
  front: "card",
  back: "card",
  licence: "card",
  passport: "page",
  selfie: "face",
  // Name, address and date stand in the upper half of a sheet.
  proofOfAddress: "page",
};

export interface ShotProps {
  kind: ShotKind;
  number: number;
  of: number;
  /** The picture of the front, if the back is asked for. */
  front: File | null;
  advice: string | null;
  isSending: boolean;
  onAccept: (file: File) => void;
  onBack: (() => void) | null;
  onSkip: (() => void) | null;
}

export function Shot(props: ShotProps): JSX.Element {
  const { kind } = props;
  const texts = useTexts();
  const t = texts.shot;
  const [picture, setPicture] = useState<File | null>(null);
  const [trouble, setTrouble] = useState<CameraState | null>(null);
  const [fault, setFault] = useState<UnusableFile["why"] | null>(null);

  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    try {
      const prepared = await prepare(file);
      chosenFiles.add(prepared);
      setPicture(prepared);
      setFault(null);
    } catch (reason) {
      setFault(reason instanceof UnusableFile ? reason.why : "unreadable");
    }
  };

  if (picture) {
    return (
      <Review
        {...props}
        picture={picture}
        onAgain={() => setPicture(null)}
        onUse={() => props.onAccept(picture)}
      />
    );
  }
  // Those of the challenge offer no file.
  const how = boot.allowFiles ? t : texts.liveness;
  const fileInput = boot.allowFiles && (
    <label class={`button ${trouble ? "primary" : "plain"} file`}>
      {t.file}
      <input
        type="file"
        accept="image/jpeg,image/png,image/webp,application/pdf"
        aria-describedby="file-types"
        onChange={(event) => void choose(event.currentTarget)}
      />
    </label>
  );
  return (
    <Screen name={`capture-${kind}`} title={t[kind].title} class="capture">
      {props.of > 1 && <p class="small">{t.of(props.number, props.of)}</p>}
      {props.advice && (
        <div class="notice">
          <Icon name="warning" />
          <p>{props.advice}</p>
          <SentPicture role={kind === "licence" ? "front" : kind} />
        </div>
      )}
      {trouble ? (
        <div class="trouble" role="alert">
          <h2>{trouble === "denied" ? t.denied : t.none}</h2>
          <p>{trouble === "denied" ? how.deniedHow : how.noneHow}</p>
          <Button kind="plain" onClick={() => setTrouble(null)}>
            {t.camera}
          </Button>
        </div>
      ) : (
        <Viewfinder
          guide={GUIDES[kind]}
          name={kind}
          front={props.front}
          onPicture={setPicture}
          onTrouble={setTrouble}
        />
      )}
      <p class="wrong" role="alert">
        {fault && t[fault]}
      </p>
      <div class="others">
        {fileInput}
        {props.onSkip && (
          <Button kind="plain" onClick={props.onSkip}>
            {t.skip}
          </Button>
        )}
        {props.onBack && (
          <Button kind="plain" onClick={props.onBack}>
            {texts.back}
          </Button>
        )}
      </div>
      {boot.allowFiles && (
        <p class="small" id="file-types">
          {t.fileTypes}
        </p>
      )}
    </Screen>
  );
}

function Review(props: {
  kind: ShotKind;
  picture: File;
  isSending: boolean;
  onUse: () => void;
  onAgain: () => void;
}): JSX.Element {
  const { kind, picture, isSending } = props;
  const texts = useTexts();
  const t = texts.shot;
  const [address, setAddress] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  const isFace = kind === "selfie";
  const isPdf = picture.type === "application/pdf";
  return (
    <Screen name={`review-${kind}`} title={isFace ? t.reviewFace : t.reviewTitle} class="capture">
      <p class="lead">{isFace ? t.reviewFaceLead : t.reviewLead}</p>
      {isPdf ? (
        <p class="chosen">
          <Icon name="card" />
          {t.pdf(picture.name)}
        </p>
      ) : (
        address && (
          <img
            src={address}
            alt={t.reviewAlt(t[kind].short)}
            class={isFace ? "picture mirrored" : "picture"}
          />
        )
      )}
      <Button onClick={props.onUse} disabled={isSending}>
        {isSending && <Spinner />}
        {isSending ? t.sending : isPdf ? t.useFile : t.use}
      </Button>
      <Button kind="plain" onClick={props.onAgain} disabled={isSending}>
        {isPdf ? t.otherFile : t.again}
      </Button>
      <p class="unseen" role="status">
        {isSending ? t.sending : isPdf ? "" : t.taken}
      </p>
    </Screen>
  );
}
