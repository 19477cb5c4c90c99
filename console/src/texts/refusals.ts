/** In Spanish, what the API refuses by its code; its own messages are in English. */
export const REFUSALS: Record<string, string> = {
  ALIAS_TAKEN: "Este alias ya es de otro flujo u otra organización.",
  ALREADY_CLAIMED: "Otra persona trabaja en esta verificación.",
  CLAIMED_BY_ANOTHER: "Otra persona trabaja en esta coincidencia.",
  DELIVERY_PENDING: "La entrega sigue pendiente y le quedan intentos.",
  DOCUMENT_LEASED: "Otra persona tiene este documento.",
  FEATURE_OFF: "Esta instalación no ofrece esto: quien la opera lo apagó.",
  FILTER_EXISTS: "Ya tienes filtros guardados con este nombre.",
  LAST_OWNER: "Una organización necesita al menos un titular que pueda entrar.",
  LAST_SECOND_FACTOR: "Tu organización exige un segundo factor. Agrega primero otro.",
  MATCH_CHANGED: "La coincidencia se abrió otra vez desde que la leíste. Léela de nuevo.",
  NOTHING_TO_RETAKE:
    "Sólo una verificación en revisión pide fotos otra vez, y sólo las que juzga uno de sus pasos.",
  NOTHING_TO_RUN_AGAIN:
    "Sólo se repiten las consultas de una verificación en revisión que un servicio no pudo responder.",
  NOT_IN_REVIEW: "La verificación ya no espera a nadie que la revise.",
  NO_DRAFT: "La política no tiene este borrador para publicar. Léela de nuevo.",
  NO_PROPOSAL: "Esta propuesta ya no espera a otra persona.",
  NO_VERIFICATION: "Una prueba necesita al menos una verificación en la organización.",
  POLICY_NOT_PUBLISHED: "Un flujo sólo puede nombrar una política con una versión publicada.",
  QUEUE_FULL: "Demasiados documentos de la organización esperan. Intenta más tarde.",
  SECOND_FACTOR_WRONG: "El código es incorrecto, o ya se usó.",
  SECOND_REVIEWER_NEEDED:
    "Tu organización decide entre dos personas: quien propone no puede confirmar ni declinar.",
  SIGN_IN_AGAIN: "Entraste hace tiempo. Entra de nuevo para cambiar esto.",
  STATUS_CHANGED: "La verificación ya tiene otro estado.",
  TOO_MANY_FILTERS: "Llegaste al límite de filtros guardados.",
  VERIFICATION_CLOSED: "La verificación ya no acepta imágenes.",
  VERIFICATION_HELD:
    "La verificación está bajo retención legal: sus datos no se pueden borrar.",
  VERIFICATION_PURGED: "Los datos de la verificación se borraron; no queda nada que retener.",
  WORKFLOW_INACTIVE: "El flujo ya no está activo.",
};

/** The same of the code CONFLICT, by the API's message. */
export const CONFLICTS: Record<string, string> = {
  "An OWNER needs a password first, in case the provider fails.":
    "Primero un titular necesita una contraseña, por si el proveedor falla.",
  "This e-mail address is registered already.": "Este correo ya tiene una cuenta.",
  "This passkey is registered already.": "Esta llave ya está registrada.",
  "This person has joined already, and can ask for a new password.":
    "Esta persona ya entró, y puede pedir una contraseña nueva.",
};
