// The whole flow of MetaMap's official JavaScript client, `mati-verification-api`.
//
// node official.js BASE CLIENT_ID CLIENT_SECRET FOLDER WEBHOOK_SECRET; the webhooks arrive on the
// standard input, a JSON object a line: {signature, body}.
const fs = require("fs");
const path = require("path");
const readline = require("readline");
// The client is of the time of Node 12, which had neither: it then brings its own.
delete globalThis.FormData;
delete globalThis.fetch;
const { apiService } = require("mati-verification-api");

const [base, clientId, clientSecret, folder, webhookSecret] = process.argv.slice(2);

function photo(page, filename) {
  const data = { type: "national-id", country: "MX", region: "", page, filename };
  return { inputType: "document-photo", group: 0, data };
}

function file(mediaType, fileName) {
  return { mediaType, fileName, stream: fs.createReadStream(path.join(folder, fileName)) };
}

async function main() {
  apiService.init({ host: base, clientId, clientSecret, webhookSecret });
  const identity = await apiService.createIdentity({ user: "4711" });
  const sent = await apiService.sendInput(identity._id, {
    inputs: [
      photo("front", "INE-front.jpg"),
      photo("back", "INE-back.jpg"),
      { inputType: "selfie-photo", group: 0, data: { type: "selfie-photo", filename: "selfie.jpg" } },
    ],
    files: [
      file("document", "INE-front.jpg"),
      file("document", "INE-back.jpg"),
      file("selfie", "selfie.jpg"),
    ],
  });
  console.error("sent");
  const valid = [];
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { signature, body } = JSON.parse(line);
    const notice = JSON.parse(body);
    valid.push(apiService.validateSignature(signature, notice));
    if (notice.eventName !== "verification_completed") continue;
    const there = new URL(notice.resource);
    const found = await apiService.fetchResource(new URL(there.pathname, base).href);
    console.log(
      JSON.stringify({
        sent: sent.map((each) => each.result),
        valid,
        metadata: notice.metadata,
        status: found.identity.status,
        curp: found.documents[0].fields.curp.value,
        identity: [identity._id, found.identity.id],
      }),
    );
    return;
  }
}

main().catch((reason) => {
  console.error(reason);
  process.exitCode = 1;
});
