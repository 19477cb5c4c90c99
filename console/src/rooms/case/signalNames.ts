import { useLanguage } from "@/texts";
import { useFieldName } from "./fieldNames";

const NAMES: Record<string, [es: string, en: string]> = {
  contradiction: ["Dos lugares del documento se contradicen", "Two places of the document contradict"],
  "tampering.typeface": ["Un campo tiene otra letra", "A field has another typeface"],
  "tampering.proportions": ["Un campo tiene letras más anchas o angostas", "A field has wider or narrower letters"],
  "tampering.recompression": ["Una parte de la imagen se guardó aparte", "A part of the image was saved separately"],
  "tampering.portrait": ["El segundo retrato es de otra persona", "The second portrait is another person's"],
  "tampering.second_portrait": ["El segundo retrato es de otra persona", "The second portrait is another person's"],
  "selfie.copy": ["La selfie copia el retrato del documento", "The selfie copies the document's portrait"],
  colourless: ["Copia en blanco y negro", "Black-and-white copy"],
  screen_grid: ["Trama como de una pantalla", "Grid like a screen's"],
  screen_colours: ["Franjas de color como de una pantalla", "Colour stripes like a screen's"],
  several_documents: ["Hay más de un documento en la imagen", "Several documents in the image"],
  cut_off: ["El documento está cortado", "The document is cut off"],
  too_small: ["Imagen muy pequeña", "Image too small"],
  too_dark: ["Imagen muy oscura", "Image too dark"],
  overexposed: ["Imagen sobreexpuesta", "Overexposed image"],
  glare: ["Reflejo", "Glare"],
  blurred: ["Imagen borrosa", "Blurred image"],
  "liveness.light": ["La cara no refleja los colores de la pantalla", "The face does not reflect the screen's colours"],
  "liveness.moments": ["Los movimientos no siguen las indicaciones", "The moves do not follow the prompts"],
};

// Which part of the page, which other page, or what a field contradicts.
const DETAILS: Record<string, [es: string, en: string]> = {
  portrait: ["sobre el retrato", "over the portrait"],
  data: ["sobre los datos", "over the data"],
  INE_FRONT: ["frente de una credencial para votar", "front of a voter card"],
  INE_BACK: ["reverso de una credencial para votar", "back of a voter card"],
  PASSPORT: ["pasaporte", "passport"],
  DRIVER_LICENCE: ["licencia de conducir", "driver's licence"],
  CURP_CERTIFICATE: ["constancia de la CURP", "CURP certificate"],
  RFC_CERTIFICATE: ["constancia de situación fiscal", "RFC certificate"],
  RFC_CERTIFICATE_ANNEX: ["segunda página de la constancia fiscal", "second page of the RFC certificate"],
  PROOF_OF_ADDRESS: ["comprobante de domicilio", "proof of address"],
  UNKNOWN: ["documento desconocido", "unknown document"],
  CONTRADICTS_CURP: ["contradice la CURP", "contradicts the CURP"],
  CONTRADICTS_CLAVE: ["contradice la clave de elector", "contradicts the voter key"],
  CONTRADICTS_MRZ: ["contradice la zona de lectura mecánica", "contradicts the machine-readable zone"],
  CONTRADICTS_NAME: ["contradice el nombre", "contradicts the name"],
  CONTRADICTS_PRINT: ["contradice lo impreso", "contradicts the print"],
  CONTRADICTS_CODE: ["contradice el código de barras", "contradicts the barcode"],
};

/** Return the detail of a signal in the user's language, for example of "curp: CONTRADICTS_NAME". */
export function useSignalDetail() {
  const place = useLanguage() === "es" ? 0 : 1;
  const fieldOf = useFieldName();
  return (detail: string) =>
    detail
      .split(": ")
      .map((part) => DETAILS[part]?.[place] ?? fieldOf(part))
      .join(" ");
}

/** Return what a signal means, in the user's language. */
export function useSignalName() {
  const place = useLanguage() === "es" ? 0 : 1;
  return (signal: string) => NAMES[signal]?.[place] ?? signal;
}
