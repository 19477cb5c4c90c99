import { useLanguage } from "@/texts";

const NAMES: Record<string, [es: string, en: string]> = {
  paternalSurname: ["Apellido paterno", "Paternal surname"],
  maternalSurname: ["Apellido materno", "Maternal surname"],
  surnames: ["Apellidos", "Surnames"],
  givenNames: ["Nombres", "Given names"],
  fullName: ["Nombre completo", "Full name"],
  name: ["Nombre", "Name"],
  curp: ["CURP", "CURP"],
  rfc: ["RFC", "RFC"],
  clave: ["Clave de elector", "Voter key"],
  dateOfBirth: ["Fecha de nacimiento", "Date of birth"],
  placeOfBirth: ["Lugar de nacimiento", "Place of birth"],
  sex: ["Sexo", "Sex"],
  address: ["Domicilio", "Address"],
  section: ["Sección", "Section"],
  registrationYear: ["Año de registro", "Year of registration"],
  emission: ["Emisión", "Emission"],
  emissionYear: ["Año de emisión", "Year of emission"],
  issueDate: ["Fecha de expedición", "Date of issue"],
  expiryYear: ["Año de vencimiento", "Year of expiry"],
  expiryDate: ["Fecha de vencimiento", "Date of expiry"],
  cic: ["CIC", "CIC"],
  ocr: ["OCR", "OCR"],
  citizenId: ["Id de ciudadano", "Citizen id"],
  mrz: ["Zona de lectura mecánica", "Machine-readable zone"],
  documentNumber: ["Número de documento", "Document number"],
  passportNumber: ["Número de pasaporte", "Passport number"],
  licenceNumber: ["Número de licencia", "Licence number"],
  nationality: ["Nacionalidad", "Nationality"],
  issuingState: ["Estado emisor", "Issuing state"],
  ineModel: ["Modelo de la credencial", "Model of the card"],
  documentType: ["Tipo de documento", "Type of document"],
  birthDate: ["Fecha de nacimiento", "Date of birth"],
  birthState: ["Estado de nacimiento", "State of birth"],
  state: ["Estado", "State"],
  street: ["Calle", "Street"],
  outerNumber: ["Número exterior", "Outer number"],
  innerNumber: ["Número interior", "Inner number"],
  neighbourhood: ["Colonia", "Neighbourhood"],
  postalCode: ["Código postal", "Postal code"],
  municipality: ["Municipio", "Municipality"],
  stateOfBirth: ["Estado de nacimiento", "State of birth"],
  bloodGroup: ["Grupo sanguíneo", "Blood group"],
  bloodType: ["Tipo de sangre", "Blood type"],
  licenceClass: ["Clase de licencia", "Licence class"],
  validity: ["Vigencia", "Validity"],
  birthRecordState: ["Estado del registro de nacimiento", "State of the birth record"],
  birthRecordMunicipality: ["Municipio del registro de nacimiento", "Municipality of the birth record"],
  birthRecordYear: ["Año del registro de nacimiento", "Year of the birth record"],
  birthRecordNumber: ["Número del acta de nacimiento", "Number of the birth record"],
  folio: ["Folio", "Folio"],
  enrolmentDate: ["Fecha de inscripción", "Date of enrolment"],
  idCif: ["idCIF", "idCIF"],
  companyName: ["Denominación o razón social", "Company name"],
  capitalRegime: ["Régimen de capital", "Capital regime"],
  taxpayerStatus: ["Situación del contribuyente", "Status of the taxpayer"],
  taxRegimes: ["Regímenes fiscales", "Tax regimes"],
  operationsStart: ["Inicio de operaciones", "Start of operations"],
  // As RENAPO names the parts of a name.
  given: ["Nombres", "Given names"],
  paterno: ["Apellido paterno", "Paternal surname"],
  materno: ["Apellido materno", "Maternal surname"],
  periodEnd: ["Fin del periodo", "End of the period"],
};

/** `licenceClass` becomes "Licence class". */
const humanized = (field: string) => {
  const words = field.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Return the name of a field in the user's language. */
export function useFieldName() {
  const place = useLanguage() === "es" ? 0 : 1;
  return (field: string) => NAMES[field]?.[place] ?? humanized(field);
}
