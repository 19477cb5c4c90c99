import { Anchor, type AnchorProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { Ref } from "react";

type Props = Omit<AnchorProps, "href"> & { ref?: Ref<HTMLAnchorElement> };

/** A link to a page of the console that looks like Mantine's. */
export const AnchorLink = createLink((props: Props) => <Anchor {...props} />);
