/** Shorter lines end where their writer ended them. */
const WRAPPED_CHARS_MIN = 60

const WRAP = new RegExp(`(?<=[^\\n]{${WRAPPED_CHARS_MIN - 1}}[\\p{L}\\p{N},'’)])\\n(?=\\p{Ll})`, 'gu')

/**
 * A text whose sentences an editor or a mail program broke into lines, with spaces in the place of these breaks, so that all
 * places in it stay the same. Where a long line ends without a stop and the next goes on in small letters, nobody began anew.
 */
export function unwrapped(text: string): string {
  return text.includes('\n') ? text.replace(WRAP, ' ') : text
}
