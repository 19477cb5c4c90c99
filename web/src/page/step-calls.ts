/** The calls for what a step waits for besides pictures. A 409 means that it no longer waits. */
import { call, type View } from "./api";
import { boot } from "./boot";
import { previewedCode } from "./preview";

export type Channel = "sms" | "email";

export interface AskedCode {
  channels: { channel: Channel; destinationKnown: boolean }[];
  sent: { channel: Channel; resendIn: number; attemptsRemaining: number } | null;
}

export interface SentCode {
  channel: Channel;
  /** As much of it as the person recognizes. */
  destination: string;
  resendIn: number;
}

export interface Field {
  id: string;
  type: "text" | "date" | "checkbox" | "select";
  label: string;
  required: boolean;
  placeholder: string | null;
  options: { value: string; label: string }[];
  maxLength: number | null;
}

export interface AskedForm {
  title: string;
  description: string | null;
  fields: Field[];
}

export interface FieldFault {
  fieldId: string;
  code: string;
  limit: number;
  message: string;
}

export type Position =
  | { state: "given"; latitude: number; longitude: number; accuracyMetres: number }
  | { state: "refused" | "unavailable" };

const post = async <T>(path: string, body: unknown): Promise<T> => {
  const headers = {
    "Content-Type": "application/json",
    "Accept-Language": document.documentElement.lang,
  };
  const answer = await call(path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as T;
};
const get = async <T>(path: string): Promise<T> => (await (await call(path)).json()) as T;

export const askedCode = async (): Promise<AskedCode> =>
  boot.previewOf === null ? get("/code") : previewedCode();
export const sendCode = (channel: Channel, destination?: string): Promise<SentCode> =>
  post("/code/send", { channel, destination });
export const confirmCode = (
  channel: Channel,
  code: string,
): Promise<{ valid: boolean; attemptsRemaining: number }> =>
  post("/code/confirm", { channel, code });

export const askedForm = (): Promise<AskedForm> => get("/form");
export const answerForm = (
  values: Record<string, string | boolean>,
): Promise<{ valid: boolean; errors: FieldFault[] }> => post("/form", { values });

export const givePosition = (answer: Position): Promise<View> => post("/position", answer);
