/**
 * Normalizes a text in linear time, whatever it holds. Normalisation sorts a run of combining marks in quadratic time, so longer runs than
 * any writing has are divided as the Stream-Safe Text Format of Unicode does it (UAX #15, section 13); other texts are normalised as ever.
 */
export function unicodeForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(FULL_RUN, '$&\u034f').normalize(form)
}

/** The Stream-Safe Text Format allows this many marks in a row. */
export const MARKS_MAX = 30

/** Matches a mark, or one of two letters whose compatibility form is one. */
export const MARK = '[\\p{M}\\uff9e\\uff9f]'

const FULL_RUN = new RegExp(`${MARK}{${MARKS_MAX}}(?=${MARK})`, 'gu')
