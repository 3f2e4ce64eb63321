import { unicodeForm } from 'mneme/plugin'

/** One form of what differs only in how it is typed. */
export function plain(text: string): string {
  return unicodeForm(text, 'NFKC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').trim()
}
