import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CompareIcon } from "@/parts/icons";
import { useKeys } from "@/parts/keys";
import classes from "./case.module.css";
import { FIRST_VIEW, PictureView, turned, zoomed } from "./PictureView";
import { faces, type Mark, type Picture, shows } from "./pictures";
import { useCaseWords } from "./texts";

interface Props {
  pictures: readonly Picture[];
  mark: Mark | null;
  warnings: readonly Mark[];
}

/** The pictures of a verification: one large, or two beside each other, and all small ones. */
export function Pictures({ pictures, mark, warnings }: Props) {
  const words = useCaseWords();
  const [shown, setShown] = useState<string | null>(null);
  const [isComparing, setComparing] = useState(false);
  const [view, setView] = useState(FIRST_VIEW);
  const chosen = pictures.find((each) => each.id === shown) ?? pictures[0];
  // The page of the field that the reader points at.
  const pointed = mark && pictures.find((picture) => shows(picture, mark));
  const current = pointed ?? chosen;
  const pair = faces(pictures).filter((each) => each !== undefined);
  const show = (id: string) => {
    setShown(id);
    setComparing(false);
    setView(FIRST_VIEW);
  };
  // Faces are compared upright and whole, whatever the picture before looked like.
  const compare = () => {
    setComparing(pair.length === 2 && !isComparing);
    setView(FIRST_VIEW);
  };
  const move = (by: number) => {
    const place = pictures.findIndex((each) => each.id === chosen?.id);
    const next = pictures[(place + by + pictures.length) % pictures.length];
    if (next) show(next.id);
  };
  useKeys([
    { key: "]", does: words("nextPicture"), run: () => move(1) },
    { key: "[", does: words("previousPicture"), run: () => move(-1) },
    { key: "z", does: words("zoomIn"), run: () => setView(zoomed(view, 1)) },
    { key: "x", does: words("zoomOut"), run: () => setView(zoomed(view, -1)) },
    { key: "o", does: words("rotate"), run: () => setView(turned(view)) },
    { key: "c", does: words("compare"), run: compare },
  ]);
  if (!current) return <Text>{words("noPictures")}</Text>;
  const large = isComparing ? pair : [current];
  return (
    <Stack component="section" gap="xs" className={classes.pictures} aria-label={words("pictures")}>
      <SimpleGrid cols={large.length}>
        {large.map((picture) => (
          <PictureView
            key={picture.id}
            picture={picture}
            view={view}
            onView={setView}
            mark={mark}
            warnings={warnings}
          />
        ))}
      </SimpleGrid>
      <Group gap={4}>
        {pictures.map((picture) => (
          <button
            key={picture.id}
            type="button"
            className={classes.thumbnail}
            aria-label={picture.label}
            aria-pressed={!isComparing && picture.id === current.id}
            onClick={() => show(picture.id)}
          >
            <img src={picture.url} alt="" loading="lazy" />
          </button>
        ))}
        {pair.length === 2 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<CompareIcon size={16} />}
            aria-pressed={isComparing}
            onClick={compare}
          >
            {words("compare")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
