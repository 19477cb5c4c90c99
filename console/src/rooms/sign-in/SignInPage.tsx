import { Center, Paper, SegmentedControl, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import type { Session } from "@/api/contract";
import { sessionQuery, useTakeSession } from "@/api/session";
import { chooseLanguage, type Language, useLanguage } from "@/texts";
import { useCommonWords } from "@/texts/common";
import { takeNext } from "./next";
import { useProviderFailure } from "./ProviderSignIn";
import { SignInForm } from "./SignInForm";
import { useSignInWords } from "./texts";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const words = useSignInWords();
  const common = useCommonWords();
  const language = useLanguage();
  const { next, failure, organization } = route.useSearch();
  const { data: begun } = useQuery(sessionQuery);
  const failureText = useProviderFailure();
  const router = useRouter();
  const take = useTakeSession();
  const enter = (session: Session) => {
    take(session);
    // With the base, so that a reload or a second tab finds the same page.
    router.history.push(`${router.basepath}${next ?? takeNext() ?? "/"}`);
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400}>
        <Paper withBorder p={{ base: "md", xs: "xl" }}>
          <Title order={1} size="h3" mb="lg">
            {words("title")}
          </Title>
          <SignInForm
            onSession={enter}
            begun={begun ?? null}
            failure={failureText(failure)}
            provider={{ organization, next }}
          />
        </Paper>
        <SegmentedControl
          aria-label={common("language")}
          value={language}
          onChange={(value) => chooseLanguage(value as Language)}
          data={[
            { value: "es", label: "Español" },
            { value: "en", label: "English" },
          ]}
        />
      </Stack>
    </Center>
  );
}
