/** The organization's form. The server judges the answers; each fault stands at its field. */
import type { JSX, TargetedSubmitEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { answerForm, askedForm, type AskedForm, type Field, type FieldFault } from "../step-calls";
import { Button, Screen } from "../components";
import { StepFigure } from "../illustrations";
import { useSending } from "../sending";
import { useTexts } from "../texts";
import { isOver, type ActProps } from "./code";
import { Waiting } from "./progress";
import "./steps.css";

type Faults = Record<string, FieldFault>;

export function Form({ view }: ActProps): JSX.Element {
  const texts = useTexts();
  const t = texts.form;
  const [form, setForm] = useState<AskedForm | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const [isDone, setDone] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const { send, isBusy } = useSending();
  useEffect(() => {
    void send(
      async (insist) => setForm(await insist(askedForm)),
      (fault) => isOver(fault) && (setDone(true), true),
    );
  }, []);
  useEffect(() => {
    element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [faults]);
  if (isDone || !form) return <Waiting view={isDone ? view : null} />;

  const wordsOf = (id: string) => {
    const fault = faults[id];
    return fault ? (t.faults[fault.code]?.(fault.limit) ?? fault.message) : "";
  };
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = valuesIn(form.fields, new FormData(event.currentTarget));
    void send(
      async (insist) => {
        const { valid, errors } = await insist(() => answerForm(values));
        if (valid) setDone(true);
        else setFaults(Object.fromEntries(errors.map((each) => [each.fieldId, each])));
      },
      (fault) => isOver(fault) && (setDone(true), true),
    );
  };
  const count = Object.keys(faults).length;
  return (
    <Screen name="form" title={form.title}>
      <StepFigure of="form" />
      {form.description && <p class="lead">{form.description}</p>}
      <form class="fields" ref={element} onSubmit={submit} noValidate>
        {form.fields.map((field, number) => (
          <Answer key={field.id} field={field} id={`f${number}`} fault={wordsOf(field.id)} />
        ))}
        <p class="wrong" role="alert">
          {count > 0 && t.sum(count)}
        </p>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? texts.working : t.send}
        </Button>
      </form>
    </Screen>
  );
}

function valuesIn(fields: Field[], given: FormData): Record<string, string | boolean> {
  const valueOf = ({ id, type }: Field) =>
    type === "checkbox" ? given.has(id) : String(given.get(id) ?? "");
  return Object.fromEntries(fields.map((field) => [field.id, valueOf(field)]));
}

function Answer(props: { field: Field; id: string; fault: string }): JSX.Element {
  const { field, id, fault } = props;
  const t = useTexts().form;
  const common = {
    id,
    name: field.id,
    required: field.required,
    "aria-invalid": fault !== "",
    "aria-describedby": `${id}-fault`,
  };
  const label = (
    <>
      {field.label} {field.required && <small>({t.required})</small>}
    </>
  );
  const wrong = (
    <p class="wrong" id={`${id}-fault`}>
      {fault}
    </p>
  );
  if (field.type === "checkbox") {
    return (
      <div class="field">
        <label class="agree">
          <input type="checkbox" {...common} />
          <span>{label}</span>
        </label>
        {wrong}
      </div>
    );
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {field.type === "select" ? (
        <select {...common}>
          <option value="">{field.placeholder ?? t.choose}</option>
          {field.options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type={field.type as "text"}
          placeholder={field.placeholder ?? ""}
          {...(field.maxLength ? { maxLength: field.maxLength } : {})}
        />
      )}
      {wrong}
    </div>
  );
}
