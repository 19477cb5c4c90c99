/** Checks beside a verification: watchlists, codes, credit, location, signatures, forms. */

import type { Shape } from "./shapes.ts";
import { type CallOptions, type CreateOptions, path, type Transport } from "./transport.ts";

export class Aml {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async screen(
    query: Shape<"ScreenRequest">,
    options?: CallOptions,
  ): Promise<Shape<"ScreenAnswer">> {
    return this.#transport.json("POST", "/v1/aml/screen", { ...options, json: query });
  }

  /** Each query gets its own matches. */
  async screenBatch(
    batch: Shape<"BatchRequest">,
    options?: CallOptions,
  ): Promise<Shape<"BatchAnswer">> {
    return this.#transport.json("POST", "/v1/aml/screen/batch", { ...options, json: batch });
  }

  /** Screens again each day for 90 days. New matches fire the event `aml.match`. */
  async monitor(
    monitor: Shape<"MonitorRequest">,
    options?: CreateOptions,
  ): Promise<Shape<"MonitoringAnswer">> {
    return this.#transport.create("/v1/aml/monitor", monitor, options);
  }

  async monitored(
    verificationId: string,
    options?: CallOptions,
  ): Promise<Shape<"MonitorShape">> {
    return this.#transport.json("GET", path`/v1/aml/monitor/${verificationId}`, options);
  }
}

export class OneTimePasswords {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async send(request: Shape<"OtpSend">, options?: CallOptions): Promise<Shape<"OtpSendAnswer">> {
    return this.#transport.json("POST", "/v1/otp/send", { ...options, json: request });
  }

  async verify(
    request: Shape<"OtpVerify">,
    options?: CallOptions,
  ): Promise<Shape<"OtpVerifyAnswer">> {
    return this.#transport.json("POST", "/v1/otp/verify", { ...options, json: request });
  }
}

export class Credit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async check(
    request: Shape<"CreditCheckCreate">,
    options?: CreateOptions,
  ): Promise<Shape<"CreditCheckShape">> {
    return this.#transport.create("/v1/credit/check", request, options);
  }

  async get(checkId: string, options?: CallOptions): Promise<Shape<"CreditCheckShape">> {
    return this.#transport.json("GET", path`/v1/credit/check/${checkId}`, options);
  }
}

export class Location {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async check(
    request: Shape<"LocationCheck">,
    options?: CallOptions,
  ): Promise<Shape<"LocationCheckShape">> {
    return this.#transport.json("POST", "/v1/location/check", { ...options, json: request });
  }
}

export class Signatures {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async sign(
    request: Shape<"SignRequest">,
    options?: CreateOptions,
  ): Promise<Shape<"SignatureRecord">> {
    return this.#transport.create("/v1/esignature/sign", request, options);
  }

  async get(signatureId: string, options?: CallOptions): Promise<Shape<"SignatureRecord">> {
    return this.#transport.json("GET", path`/v1/esignature/${signatureId}`, options);
  }

  /** The signed package. An `ApiError` SIGNATURE_NOT_READY means: ask again later. */
  async pdf(signatureId: string, options?: CallOptions): Promise<Uint8Array> {
    const address = path`/v1/esignature/${signatureId}/pdf`;
    return (await this.#transport.send("GET", address, options)).body;
  }
}

export class Forms {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(form: Shape<"FormCreate">, options?: CallOptions): Promise<Shape<"CreatedForm">> {
    return this.#transport.json("POST", "/v1/custom-input/forms", { ...options, json: form });
  }

  /** Values that do not fit are in the response: `valid` is false, with an error for each field. */
  async submit(submit: Shape<"Submit">, options?: CallOptions): Promise<Shape<"SubmitAnswer">> {
    return this.#transport.json("POST", "/v1/custom-input/submit", { ...options, json: submit });
  }

  async submitted(
    verificationId: string,
    options?: CallOptions,
  ): Promise<Shape<"SubmittedForms">> {
    return this.#transport.json("GET", path`/v1/custom-input/${verificationId}`, options);
  }
}
