import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Workflow = Schemas["WorkflowShape"];
export type StepType = Workflow["steps"][number]["type"];

export interface DraftStep {
  type: StepType;
  /** The options as JSON, as they are being typed; empty: none. */
  options: string;
}

export interface Draft {
  name: string;
  description: string;
  steps: DraftStep[];
  policyId: string | null;
  allowFiles: boolean;
}

export const EMPTY: Draft = {
  name: "",
  description: "",
  steps: [{ type: "DOCUMENT_OCR", options: "" }],
  policyId: null,
  allowFiles: true,
};

export const draftOf = (workflow: Workflow): Draft => ({
  name: workflow.name,
  description: workflow.description ?? "",
  steps: workflow.steps
    .toSorted((one, other) => one.order - other.order)
    .map(({ type, config }) => ({
      type,
      options: Object.keys(config).length === 0 ? "" : JSON.stringify(config, null, 2),
    })),
  policyId: workflow.policyId,
  allowFiles: workflow.allowFiles,
});

/** The options of a step; null while the text is no JSON object. */
export function optionsOf({ options }: DraftStep): Record<string, unknown> | null {
  if (!options.trim()) return {};
  try {
    const found: unknown = JSON.parse(options);
    const isObject = typeof found === "object" && found !== null && !Array.isArray(found);
    return isObject ? (found as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Create a workflow, or change one; return its id. Every step has valid options. */
export async function saveWorkflow(id: string | null, draft: Draft): Promise<string> {
  const body = {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    policyId: draft.policyId,
    allowFiles: draft.allowFiles,
    steps: draft.steps.map((step, order) => ({
      type: step.type,
      order,
      config: optionsOf(step) as Schemas["StepWrite"]["config"],
    })),
  };
  if (id === null) return (await ask(api.POST("/v1/workflows", { body }))).workflow.id;
  await ask(api.PATCH("/v1/workflows/{id}", { params: { path: { id } }, body }));
  return id;
}

export const deactivate = (id: string) =>
  ask(api.DELETE("/v1/workflows/{id}", { params: { path: { id } } }));
