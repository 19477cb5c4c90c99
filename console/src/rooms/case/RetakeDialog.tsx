import { Alert, Anchor, Button, Checkbox, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "@/api/errors";
import { Copied } from "@/parts/Copied";
import { BottomDialog } from "@/parts/BottomDialog";
import { useFailureText } from "@/parts/failures";
import { QrCode } from "@/parts/QrCode";
import { dateText } from "@/parts/time";
import { useLanguage } from "@/texts";
import { useCommonWords } from "@/texts/common";
import { askForPictures, type Case, type Channel, type Role, ROLES } from "./queries";
import { useCaseWords } from "./texts";

/** The addresses in the metadata, to which the service may send. It checks their form. */
function addressesOf({ verification }: Case): { channel: Channel; address: string }[] {
  const { email, phone } = verification.metadata ?? {};
  return [
    ...(typeof email === "string" ? [{ channel: "email" as const, address: email }] : []),
    ...(typeof phone === "string" ? [{ channel: "sms" as const, address: phone }] : []),
  ];
}

/** Whether the service does not send by this channel, or not to this address. */
const isNotSent = (fault: unknown) =>
  fault instanceof ApiError && fault.details.some((each) => each.startsWith("body.send"));

interface Props {
  found: Case;
  onClose: () => void;
}

/** Ask the person for other pictures: which ones, with a message, and a link to send. */
export function RetakeDialog({ found, onClose }: Props) {
  const words = useCaseWords();
  const common = useCommonWords();
  const language = useLanguage();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const { id } = found.verification;
  const present = ROLES.filter((role) => found.documents.some(({ type }) => type === role));
  const [pictures, setPictures] = useState<Role[]>([]);
  const [message, setMessage] = useState("");
  const addresses = addressesOf(found);
  const [way, setWay] = useState<Channel | "self">(addresses[0]?.channel ?? "self");
  const ask = useMutation({
    mutationFn: () => askForPictures(id, pictures, message.trim() || null, way === "self" ? null : way, language),
    meta: { quiet: true },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["case", id] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate();
  };
  const capture = ask.data?.capture;
  if (capture) {
    const text = [message.trim() || words("retakeMessage"), capture.url].join("\n\n");
    return (
      <BottomDialog opened onClose={onClose} title={words("retakeAsked")}>
        <Stack maw={760} role="status">
          <Text>
            {words(way === "self" ? "retakeLink" : "retakeSent", {
              until: dateText(capture.expiresAt, language),
              address: addresses.find(({ channel }) => channel === way)?.address,
            })}
          </Text>
          <Copied text={text} label={words("retakeText")} />
          <Group align="center">
            <QrCode text={capture.url} label={words("retakeQr")} />
            <Anchor href={`mailto:?body=${encodeURIComponent(text)}`}>{words("byMail")}</Anchor>
          </Group>
        </Stack>
      </BottomDialog>
    );
  }
  return (
    <BottomDialog opened onClose={onClose} title={words("askPictures")}>
      <form onSubmit={submit}>
        <Stack maw={760}>
          <Checkbox.Group
            label={words("whichPictures")}
            value={pictures}
            onChange={(chosen) => setPictures(chosen as Role[])}
          >
            <Group mt={6}>
              {present.map((role, place) => (
                <Checkbox
                  key={role}
                  data-autofocus={place === 0 || undefined}
                  value={role}
                  label={words(role === "back" ? "backSide" : role)}
                />
              ))}
            </Group>
          </Checkbox.Group>
          <Textarea
            label={words("message")}
            description={words("messageHint")}
            placeholder={words("retakeMessage")}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={2000}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          {addresses.length > 0 && (
            <Radio.Group
              label={words("retakeWay")}
              value={way}
              onChange={(chosen) => setWay(chosen as Channel | "self")}
            >
              <Stack gap={6} mt={6}>
                {addresses.map(({ channel, address }) => (
                  <Radio key={channel} value={channel} label={words(channel, { address })} />
                ))}
                <Radio value="self" label={words("retakeSelf")} />
              </Stack>
            </Radio.Group>
          )}
          {ask.isError && (
            <Alert color="red" variant="outline" role="alert">
              {isNotSent(ask.error) ? words("retakeNotSent") : failureText(ask.error)}
            </Alert>
          )}
          <Group>
            <Button type="submit" disabled={pictures.length === 0} loading={ask.isPending}>
              {words(way === "self" ? "makeLink" : "askAndSend")}
            </Button>
            <Button variant="default" onClick={onClose}>
              {common("cancel")}
            </Button>
          </Group>
        </Stack>
      </form>
    </BottomDialog>
  );
}
