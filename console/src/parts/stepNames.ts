import { defineTexts } from "@/texts";

/** The names of the types of steps. */
export const useStepNames = defineTexts("stepNames", {
  es: {
    AML_SCREEN: "Búsqueda en listas",
    CREDIT: "Buró de crédito",
    DOCUMENT_OCR: "Lectura de documentos",
    ESIGNATURE: "Firma electrónica",
    FACE_MATCH: "Comparación de rostros",
    FORM: "Formulario",
    GOVERNMENT_VERIFY: "Consulta a registros oficiales",
    LIVENESS: "Prueba de vida",
    LOCATION: "Ubicación",
    OTP: "Código por mensaje",
    PROOF_OF_ADDRESS: "Comprobante de domicilio",
  },
  en: {
    AML_SCREEN: "Watchlist screening",
    CREDIT: "Credit bureau",
    DOCUMENT_OCR: "Document reading",
    ESIGNATURE: "Electronic signature",
    FACE_MATCH: "Face comparison",
    FORM: "Form",
    GOVERNMENT_VERIFY: "Official registries",
    LIVENESS: "Liveness",
    LOCATION: "Location",
    OTP: "Code by message",
    PROOF_OF_ADDRESS: "Proof of address",
  },
});

export const STEP_TYPES = [
  "AML_SCREEN",
  "CREDIT",
  "DOCUMENT_OCR",
  "ESIGNATURE",
  "FACE_MATCH",
  "FORM",
  "GOVERNMENT_VERIFY",
  "LIVENESS",
  "LOCATION",
  "OTP",
  "PROOF_OF_ADDRESS",
] as const;
