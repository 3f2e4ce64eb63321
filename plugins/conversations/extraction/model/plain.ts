import { unicodeForm } from 'mneme/plugin'

/** One form of what differs only in how it is typed. */
export function plain(text: string): string {
  return inCase(text).toLowerCase()
}

/** As {@link plain}, with the capitals kept. */
export function inCase(text: string): string {
  return unicodeForm(text, 'NFKC').replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}
