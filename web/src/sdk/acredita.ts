/**
 * Identity verification in a customer's page:
 *
 *     import { start } from "https://id.example/web/acredita.js";
 *     const flow = await start({ clientId, flowId });
 *     const { status } = await flow.waitForResult();
 *
 * or, without a script of your own, `<acredita-verify client-id="…" flow-id="…">`, or with a link
 * that your server made, `<acredita-verify url="…">`.
 */
import { defineElement } from "./element";
import { comeFrom } from "./service";

export { Flow, on, open, start } from "./flow";
export { waitForResult } from "./service";
export * from "./types";

comeFrom(import.meta.url);
defineElement({
  tag: "acredita-verify",
  prefixes: ["acredita"],
  attributes: {
    clientId: "client-id",
    flowId: "flow-id",
    metadata: "metadata",
    identityId: "identity-id",
    language: "language",
    colour: "color",
    display: "display",
    returnUrl: "return-url",
    url: "url",
  },
});
