import { useLanguage } from "@/texts";

const NAMES: Record<string, [es: string, en: string]> = {
  // Where a value was read.
  ocr: ["texto impreso", "printed text"],
  mrz: ["zona de lectura mecánica", "machine-readable zone"],
  barcode: ["código de barras", "barcode"],
  government: ["registro oficial", "official registry"],
  // What a registry answered.
  match: ["Coincide", "Matches"],
  mismatch: ["No coincide", "Does not match"],
  annulled: ["Dado de baja", "Annulled"],
  not_found: ["No está en el registro", "Not in the registry"],
  unknown_status: ["Situación desconocida", "Unknown status"],
  // What two verifications share.
  PHONE: ["teléfono", "phone"],
  EMAIL: ["correo", "e-mail"],
  EXTERNAL_ID: ["referencia", "reference"],
};

/** Return a word of the API in the user's language; one without a translation stays as it is. */
export function useWireWord() {
  const place = useLanguage() === "es" ? 0 : 1;
  return (value: string) => NAMES[value]?.[place] ?? value.replaceAll("_", " ");
}
