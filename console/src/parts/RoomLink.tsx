import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentPropsWithRef } from "react";

type Props = AnchorProps & Omit<ComponentPropsWithRef<"a">, keyof AnchorProps>;

/** A link to a page of the console, whose address the types check. */
export const RoomLink = createLink((props: Props) => <Anchor {...props} />);
