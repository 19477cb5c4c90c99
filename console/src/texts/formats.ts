// A browser takes half a millisecond to make one, and a table has hundreds of texts.
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

export function kept<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  key: string,
  make: () => Format,
): Format {
  const format = (formats.get(key) as Format | undefined) ?? make();
  formats.set(key, format);
  return format;
}

/** Numbers and dates are written as in Mexico: 8,000 and 12.5%. */
export const localeOf = (language: string) => (language === "es" ? "es-MX" : "en-GB");

export function numberText(value: number, language: string): string {
  const locale = localeOf(language);
  return kept(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(value);
}

/** A share from 0 to 1 in percent; a dash without one. */
export function percentText(share: number | null, language: string, digits = 0): string {
  if (share === null) return "—";
  const locale = localeOf(language);
  const options = { style: "percent", maximumFractionDigits: digits } as const;
  const format = kept(`percent ${digits} ${locale}`, () => new Intl.NumberFormat(locale, options));
  return format.format(share);
}
