/** A server that follows a script, and remembers the requests that reached it. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

import { Client, type Options } from "../src/index.ts";

export type Behaviour = (response: ServerResponse) => void;

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export const answer =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

export const reset: Behaviour = (response) => {
  response.destroy();
};

export const hang: Behaviour = () => {};

export const token = (lifetime = 3600): Behaviour =>
  answer(200, { access_token: "t", expires_in: lifetime });

/** A client of the server, and what the server received. */
export async function scripted(
  context: TestContext,
  script: Behaviour[],
  options: Partial<Options> = {},
): Promise<{ client: Client; received: Received[]; baseUrl: string }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body });
    (script.shift() ?? answer(500))(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = new Client({
    baseUrl: `${baseUrl}/`,
    clientId: "org",
    clientSecret: "ak_secret",
    ...options,
  });
  return { client, received, baseUrl };
}
