import { storableText } from 'mneme/plugin'
/**
 * Shortens a text that a message quotes: names and values of a file may have a megabyte each, and responses show the beginning.
 * @returns a text that Postgres takes, in which NUL is left out and half a surrogate pair is replaced
 */
export function shortened(text: string, max: number): string {
  const shown = storableText(text.slice(0, max))
  return text.length > max ? `${shown}…` : shown
}
