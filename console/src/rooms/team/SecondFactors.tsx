import { Alert, Button, Group, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Copied, Secret } from "@/parts/Copied";
import { Failure } from "@/parts/failures";
import { QrCode } from "@/parts/QrCode";
import { dateText } from "@/parts/time";
import { useLanguage } from "@/texts";
import { useCommonWords } from "@/texts/common";
import { factorsQuery, passkeysQuery } from "./queries";
import { useTeamWords } from "./texts";

/** Codes of an authenticator app, and the recovery codes for when it is lost. */
export function SecondFactors() {
  const words = useTeamWords();
  const language = useLanguage();
  const queries = useQueryClient();
  const factors = useQuery(factorsQuery);
  const passkeys = useQuery(passkeysQuery).data ?? [];
  const refresh = () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey });
  const begin = useMutation({ mutationFn: () => ask(api.POST("/v1/auth/totp")) });
  const confirm = useMutation({
    mutationFn: (code: string) => ask(api.POST("/v1/auth/totp/confirm", { body: { code } })),
    onSuccess: begin.reset,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/auth/totp")),
    onSettled: refresh,
  });
  const renew = useMutation({
    mutationFn: () => ask(api.POST("/v1/auth/recovery-codes")),
    onSettled: refresh,
  });
  if (factors.isPending) return <Skeleton h={80} />;
  if (factors.isError) return <Failure fault={factors.error} />;
  if (factors.data === null) return null;
  const { totpConfirmedAt, recoveryCodesLeft, isRequired } = factors.data;
  // Passkeys come with recovery codes, too.
  const hasFactor = totpConfirmedAt !== null || passkeys.length > 0;
  const codes = renew.data ?? confirm.data;
  const close = () => {
    renew.reset();
    confirm.reset();
  };
  return (
    <Stack align="flex-start">
      <Title order={2} size="h3">
        {words("app")}
      </Title>
      <Text>
        {totpConfirmedAt
          ? words("appSince", { since: dateText(totpConfirmedAt, language) })
          : words("appLead")}
      </Text>
      {hasFactor && <Text>{words("codesLeft", { count: recoveryCodesLeft })}</Text>}
      {isRequired && <Text>{words("factorRequired")}</Text>}
      <Group>
        <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {words(totpConfirmedAt ? "replaceApp" : "setUpApp")}
        </Button>
        {hasFactor && (
          <ConfirmButton
            size="sm"
            text={words("newCodes")}
            question={words("newCodesQuestion")}
            loading={renew.isPending}
            onConfirm={renew.mutate}
          />
        )}
        {totpConfirmedAt && !isRequired && (
          <ConfirmButton
            size="sm"
            text={words("removeApp")}
            question={words("removeAppQuestion")}
            onConfirm={remove.mutate}
          />
        )}
      </Group>
      {begin.data && (
        <Confirm
          secret={begin.data.secret}
          uri={begin.data.otpauthUri}
          isSending={confirm.isPending}
          onCode={confirm.mutate}
          onCancel={begin.reset}
        />
      )}
      {codes && (
        <Secret
          label={words("recoveryCodes")}
          warning={words("codesOnce")}
          text={codes.recoveryCodes.join("\n")}
          onClose={close}
        />
      )}
    </Stack>
  );
}

interface ConfirmProps {
  secret: string;
  uri: string;
  isSending: boolean;
  onCode: (code: string) => void;
  onCancel: () => void;
}

function Confirm({ secret, uri, isSending, onCode, onCancel }: ConfirmProps) {
  const words = useTeamWords();
  const common = useCommonWords();
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCode(code.trim());
  };
  return (
    <Alert variant="outline" w="100%">
      <Stack align="flex-start">
        <Text>{words("scan")}</Text>
        <QrCode text={uri} label={words("appQr")} />
        <Copied text={secret} label={words("appSecret")} />
        <form onSubmit={submit}>
          <Group align="flex-end">
            <TextInput
              label={words("code")}
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              maxLength={8}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <Button type="submit" loading={isSending}>
              {common("save")}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {common("cancel")}
            </Button>
          </Group>
        </form>
      </Stack>
    </Alert>
  );
}
