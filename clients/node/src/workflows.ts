/** Workflows: the steps of a verification. */

import type { Shape } from "./shapes.ts";
import { type CallOptions, path, type Transport } from "./transport.ts";

export class Workflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(
    workflow: Shape<"WorkflowCreate">,
    options?: CallOptions,
  ): Promise<Shape<"CreatedWorkflowAnswer">["workflow"]> {
    const answer = await this.#transport.json<Shape<"CreatedWorkflowAnswer">>(
      "POST",
      "/v1/workflows",
      { ...options, json: workflow },
    );
    return answer.workflow;
  }

  async list(options?: CallOptions): Promise<Shape<"WorkflowList">["workflows"]> {
    const answer = await this.#transport.json<Shape<"WorkflowList">>("GET", "/v1/workflows", options);
    return answer.workflows;
  }

  async get(workflowId: string, options?: CallOptions): Promise<Shape<"WorkflowShape">> {
    return this.#transport.json("GET", path`/v1/workflows/${workflowId}`, options);
  }

  /** Fields that are left out stay, as do verifications that have started. */
  async update(
    workflowId: string,
    changes: Shape<"WorkflowUpdate">,
    options?: CallOptions,
  ): Promise<Shape<"WorkflowShape">> {
    const address = path`/v1/workflows/${workflowId}`;
    return this.#transport.json("PATCH", address, { ...options, json: changes });
  }

  async delete(workflowId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send("DELETE", path`/v1/workflows/${workflowId}`, options);
  }

  async theme(workflowId: string, options?: CallOptions): Promise<Shape<"ThemeShape">> {
    return this.#transport.json("GET", path`/v1/workflows/${workflowId}/theme`, options);
  }

  /** The whole theme: a field that is left out is removed. */
  async setTheme(
    workflowId: string,
    theme: Shape<"ThemeWrite">,
    options?: CallOptions,
  ): Promise<Shape<"ThemeShape">> {
    const address = path`/v1/workflows/${workflowId}/theme`;
    return this.#transport.json("PUT", address, { ...options, json: theme });
  }
}
