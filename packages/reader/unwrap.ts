/** Shorter lines end where their writer ended them. */
const WRAPPED_CHARS_MIN = 60

const WRAP = new RegExp(`(?<=[^\\n]{${WRAPPED_CHARS_MIN - 1}}[\\p{L}\\p{N},'’)])\\n(?=\\p{Ll})`, 'gu')

/**
 * Joins the lines that an editor or a mail program broke sentences into, by putting spaces in the place of these
 * breaks, so that all positions in the text stay the same. A long line that ends without a stop, before one that begins
 * in small letters, was broken so.
 */
export function unwrapped(text: string): string {
  return text.includes('\n') ? text.replace(WRAP, ' ') : text
}
