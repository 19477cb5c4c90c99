import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@/app/app.css";
import "@/texts";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "@/api/errors";
import { makeQueryClient } from "@/api/queries";
import { followOtherTabs } from "@/api/session";
import { followChanges } from "@/api/tabs";
import { Messages } from "@/app/Messages";
import { makeRouter } from "@/app/router";
import { theme } from "@/app/theme";
import { notifyFailure } from "@/parts/failures";

// The policy allows style elements with the nonce of this response alone. The browser shows it to
// scripts only as a property.
const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
// Where the library that locks scrolling behind dialogs looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queries = makeQueryClient(notifyFailure);
followChanges(queries);
const router = makeRouter(queries);
followOtherTabs(queries, () =>
  router.navigate({ to: "/sign-in", search: { next: router.state.location.href } }),
);

createRoot(document.getElementById("root") as HTMLElement, {
  onCaughtError: (fault) => {
    // The page says what the API refused.
    if (!(fault instanceof ApiError)) console.error(fault);
  },
}).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <Messages />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
