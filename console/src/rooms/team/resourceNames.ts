import { useQuery } from "@tanstack/react-query";
import { useSession } from "@/api/session";
import { keysQuery } from "@/rooms/developers/queries";
import { useLanguage } from "@/texts";
import { usersQuery } from "./queries";

const NAMES: Record<string, [es: string, en: string]> = {
  organization: ["organización", "organization"],
  user: ["usuario", "user"],
  api_key: ["clave de API", "API key"],
  workflow: ["flujo", "workflow"],
  policy: ["política", "policy"],
  webhook: ["webhook", "webhook"],
  verification: ["verificación", "verification"],
  document: ["documento", "document"],
  esignature: ["firma", "signature"],
  form: ["formulario", "form"],
  aml_monitor: ["monitor", "monitor"],
  aml_match: ["coincidencia", "hit"],
  aml_screening: ["consulta a las listas", "screening"],
  credit_check: ["reporte de crédito", "credit check"],
  location_check: ["consulta de ubicación", "location check"],
  training_batch: ["lote de etiquetas", "batch of labels"],
  government_check: ["consulta a un registro", "government check"],
  ownership_check: ["comprobación de un contacto", "check of a contact"],
  licence_truth: ["licencia de referencia", "reference licence"],
  selfie_truth: ["selfie de referencia", "reference selfie"],
  licence_template: ["plantilla de licencia", "licence template"],
};

/** Return the name of a kind of resource in the user's language. */
export function useResourceNames() {
  const place = useLanguage() === "es" ? 0 : 1;
  return (type: string) => NAMES[type]?.[place] ?? type;
}

/** Return the addresses of users and the names of the organization and its API keys, by their ids. */
export function useWho() {
  const { organization } = useSession();
  const users = useQuery(usersQuery).data?.users ?? [];
  const keys = useQuery(keysQuery).data?.apiKeys ?? [];
  const names = new Map([
    [organization.id, organization.name] as const,
    ...users.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
  return (id: string | null) => (id === null ? undefined : names.get(id));
}
