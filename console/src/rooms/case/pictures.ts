import { samePath } from "@/api/client";
import type { Case } from "./queries";
import type { useCaseWords } from "./texts";

export type Corner = [number, number];

export interface Picture {
  id: string;
  documentId: string;
  kind: "upload" | "page" | "portrait" | "frame";
  role: Case["documents"][number]["type"];
  label: string;
  url: string;
}

/** A place on the flat page of a document: corners as shares of its width and height. */
export interface Mark {
  documentId: string;
  /** The page, where the document has several. */
  mediaId?: string | null;
  corners: Corner[];
}

/** Whether the picture is the page that has this place. */
export const shows = (picture: Picture, { documentId, mediaId }: Mark) =>
  picture.kind === "page" &&
  picture.documentId === documentId &&
  (!mediaId || picture.id === mediaId);

/** All pictures of a verification: first the flat pages, then what was uploaded, then frames. */
export function picturesOf({ documents }: Case, words: ReturnType<typeof useCaseWords>): Picture[] {
  const ranks = { page: 0, portrait: 1, upload: 2, frame: 3 };
  return documents
    .flatMap((document): Picture[] => {
      const name = words(document.type === "back" ? "backSide" : document.type);
      const common = { documentId: document.id, role: document.type };
      const derived = document.media.map(
        (media, number): Picture => ({
          ...common,
          id: media.id,
          kind: media.kind,
          label:
            media.kind === "page"
              ? words("page", { what: name })
              : words(media.kind, { count: number + 1 }),
          url: samePath(media.imageUrl),
        }),
      );
      // The upload of a challenge is its frames.
      const isFilm = document.type === "liveness" && derived.length > 0;
      const upload: Picture = {
        ...common,
        id: document.id,
        kind: "upload",
        label: name,
        url: samePath(document.imageUrl),
      };
      return isFilm ? derived : [...derived, upload];
    })
    .sort((one, other) => ranks[one.kind] - ranks[other.kind]);
}

/** The portrait and the selfie that FACE_MATCH compared. */
export function faces(pictures: readonly Picture[]): [Picture | undefined, Picture | undefined] {
  return [
    pictures.find((picture) => picture.kind === "portrait"),
    pictures.find((picture) => picture.role === "selfie" && picture.kind === "upload"),
  ];
}
