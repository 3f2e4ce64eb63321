import { UNSPACED_LETTERS } from 'mneme/plugin'

/** Letters of scripts that are written without spaces, with the signs that stand among them. */
const UNSPACED = `[${UNSPACED_LETTERS}\\u3000-\\u303f\\u30fc\\uff01-\\uff60]`
const UNSPACED_END = new RegExp(`${UNSPACED}$`, 'u')
const UNSPACED_START = new RegExp(`^${UNSPACED}`, 'u')
/** Characters that take the place of two. */
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\u30fc\uff01-\uff60]/gu

/** A line break that is meant, where those of the source mean nothing. */
export const LINE_BREAK = '\u2028'

/** Returns what joins two lines of running text: nothing within a script that is written without spaces, else a space. */
export function glueBetween(text: string, next: string): '' | ' ' {
  // Two units hold the last character, whatever it is.
  return UNSPACED_END.test(text.slice(-2)) && UNSPACED_START.test(next) ? '' : ' '
}

/** Puts the lines of running text together. */
export function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines.map(one => one.trim())) {
    if (line) text += (text && glueBetween(text, line)) + line
  }
  return text
}

/** Takes the line breaks of a source out of a text, so that those that are meant are left. */
export function unwrapped(text: string): string {
  return text
    .split(LINE_BREAK)
    .map(line => joinLines(line.split('\n')))
    .join('\n')
}

/** The columns that a text takes in letters of one width. */
export function displayWidth(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0)
}
