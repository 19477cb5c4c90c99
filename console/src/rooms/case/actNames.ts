import { useLanguage } from "@/texts";

/** By kind, also of entries of the audit log. */
export const NAMES: Record<string, [es: string, en: string]> = {
  "verification.step_finished": ["Terminó el paso", "Step finished:"],
  "verification.step_required": ["La política pide el paso", "The policy requires the step"],
  "verification.pictures_asked_again": ["Se piden fotos nuevas", "New pictures are asked for"],
  "verification.decided": ["Las reglas deciden", "The rules decide"],
  "verification.overridden": ["Decisión de quien revisa", "Reviewer's decision"],
  "verification.decision_proposed": ["Propuesta de decisión", "Proposed decision"],
  "verification.decision_declined": ["Propuesta no confirmada", "Proposal declined"],
  "verification.note_added": ["Nota", "Note"],
  "verification.documents_uploaded": ["Llegaron imágenes", "Pictures arrived"],
  "verification.retake_asked": ["Se pidió otra foto", "Another picture was requested"],
  "verification.link_created": ["Enlace para la persona", "Link for the person"],
  "verification.link_sent": ["Se mandó el enlace", "Link sent"],
  "verification.link_revoked": ["Se anuló el enlace", "Link revoked"],
  "verification.run_again": ["Se repiten las consultas", "The queries run again"],
  "verification.evidence_exported": ["Se descargó la evidencia", "Evidence downloaded"],
  "verification.revealed": ["Se revelaron datos personales", "Personal data revealed"],
  "verification.session_opened": ["La persona abrió la página", "The person opened the page"],
  "verification.consent_given": ["La persona dio su consentimiento", "The person consented"],
  "verification.challenge_started": ["Empezó la prueba de vida", "The liveness challenge began"],
  "verification.challenge_answered": ["Respondió la prueba de vida", "The liveness challenge was answered"],
  "verification.held": ["Retención legal", "Legal hold"],
  "verification.released": ["Fin de la retención legal", "End of the legal hold"],
  "verification.updated": ["Se actualizó la verificación", "The verification was updated"],
  "verification.status_changed": ["Cambió el estado", "The status changed"],
  "verification.purged": ["Se borraron los datos personales", "The personal data were erased"],
  "verification.reading_requested": ["Se pide leer otra vez los documentos", "Another reading of the documents is requested"],
  "verification.read_again": ["Se leyeron otra vez los documentos", "The documents were read again"],
  "verification.code_sent": ["Se mandó un código", "Code sent"],
  "verification.code_not_sent": ["El código no se pudo mandar", "The code could not be sent"],
  "verification.code_confirmed": ["La persona confirmó el código", "The person confirmed the code"],
  "verification.code_mistaken": ["La persona escribió otro código", "The person typed another code"],
  "verification.form_submitted": ["La persona mandó el formulario", "The person submitted the form"],
  "verification.back_skipped": ["Se omitió el reverso", "The back was skipped"],
  "verification.claimed": ["La tomó quien revisa", "A reviewer claimed it"],
  "verification.unclaimed": ["Volvió a la cola", "Back in the queue"],
  "verification.handed_over": ["Pasó a otra persona", "Handed over"],
};

/** Return the name of an entry of the history, in the user's language. */
export function useActName() {
  const place = useLanguage() === "es" ? 0 : 1;
  return (kind: string) =>
    NAMES[kind]?.[place] ?? kind.replace("verification.", "").replaceAll("_", " ");
}
