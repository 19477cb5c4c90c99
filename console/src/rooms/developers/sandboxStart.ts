import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { draftOf, type Workflow } from "@/rooms/workflows/queries";
import { personFlow } from "@/rooms/workflows/screens";

type Schemas = components["schemas"];
export type SandboxPerson = Schemas["SandboxPerson"];
type Drawn = "front" | "back" | "selfie";

export interface SandboxStart {
  verificationId: string;
  capture: { url: string; expiresAt: string } | null;
  /** The pictures that the service has accepted. */
  sent: Drawn[];
  /** Why the pictures were not sent. */
  fault: unknown;
}

const DAY = 86_400;
const BY_SCREEN = { document: "front", back: "back", selfie: "selfie" } as const;

/** The drawn pictures that the workflow asks the person for. */
function wanted(person: SandboxPerson, workflow: Workflow): Drawn[] {
  return personFlow(draftOf(workflow).steps).flatMap(({ screen }) => {
    const role = BY_SCREEN[screen as keyof typeof BY_SCREEN];
    return role !== undefined && person.pictures.includes(role) ? [role] : [];
  });
}

/** Start a verification and upload the pictures as a customer's server does. Throw ApiError. */
export async function startWithPerson(
  person: SandboxPerson,
  workflow: Workflow,
  language: "es" | "en",
): Promise<SandboxStart> {
  const { verification } = await ask(
    api.POST("/v1/verifications", {
      body: {
        workflowId: workflow.id,
        externalId: `sandbox-${person.id}`,
        metadata: {
          ...(person.curp && { curp: person.curp }),
          ...(person.rfc && { rfc: person.rfc }),
          // Without it, a CREDIT step asks the bureau nothing.
          creditConsentReference: "sandbox",
        },
        capture: { language, expiresIn: DAY },
      },
    }),
  );
  const started = { verificationId: verification.id, capture: verification.capture ?? null };
  const roles = wanted(person, workflow);
  if (roles.length === 0) return { ...started, sent: [], fault: null };
  try {
    await upload(verification.id, person, roles);
    return { ...started, sent: roles, fault: null };
  } catch (fault) {
    // The verification exists: the page for the person still takes the pictures.
    return { ...started, sent: [], fault };
  }
}

async function upload(id: string, person: SandboxPerson, roles: readonly Drawn[]) {
  const form = new FormData();
  for (const role of roles) {
    const picture = await ask(
      api.GET("/v1/sandbox/picture", {
        params: { query: { person: person.id, role } },
        parseAs: "blob",
      }),
    );
    form.set(role, picture as unknown as Blob, `${role}.jpg`);
  }
  await ask(
    api.POST("/v1/verifications/{id}/inputs", {
      params: { path: { id } },
      body: form as never,
      bodySerializer: (body) => body,
    }),
  );
}
