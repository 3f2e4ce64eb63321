/** Returns at most `max` UTF-16 units of a text as Postgres takes them: NUL is left out, and half a surrogate pair is replaced. */
export function storableText(text: string, max = Number.POSITIVE_INFINITY): string {
  return text.replaceAll('\0', '').slice(0, max).toWellFormed()
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * Returns the name of a file as a database and a screen can show it, and null where nothing of it is left. A long one keeps its ending, by
 * which its format is known.
 */
export function storableFileName(given: string | undefined): string | null {
  const name = given?.replace(/\p{Cc}/gu, '').trim() ?? ''
  const ending = name.length > FILE_NAME_MAX ? (ENDING.exec(name)?.[0] ?? '') : ''
  return (name.slice(0, FILE_NAME_MAX - ending.length) + ending).toWellFormed() || null
}

const FILE_NAME_MAX = 255
const ENDING = /\.[^.]{1,15}$/
