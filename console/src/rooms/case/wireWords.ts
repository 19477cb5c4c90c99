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
  unavailable: ["No respondió", "Did not answer"],
  refused: ["Rechazó la consulta", "Refused the query"],
  insufficient_data: ["No hubo datos para preguntar", "There were no data to ask with"],
  // How likely an entry of a watchlist is the person.
  likely: ["Probable", "Likely"],
  possible: ["Posible", "Possible"],
  unlikely: ["Poco probable", "Unlikely"],
  // What two verifications share.
  CURP: ["CURP", "CURP"],
  RFC: ["RFC", "RFC"],
  PHONE: ["teléfono", "phone"],
  EMAIL: ["correo", "e-mail"],
  EXTERNAL_ID: ["referencia", "reference"],
};

/** Return a word of the API in the user's language; one without a translation stays as it is. */
export function useWireWord() {
  const place = useLanguage() === "es" ? 0 : 1;
  return (value: string) => NAMES[value]?.[place] ?? value.replaceAll("_", " ");
}
