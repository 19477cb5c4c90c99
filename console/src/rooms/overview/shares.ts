/** A share from 0 to 1 in percent; a dash without one. */
export const percentText = (share: number | null, language: string, digits = 0) =>
  share === null
    ? "—"
    : new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(share);
