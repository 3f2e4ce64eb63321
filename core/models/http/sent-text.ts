/** Returns a text as models are sent it: bounded, valid Unicode, without NUL and never blank, since servers refuse these. */
export function sentText(text: string, charsMax: number): string {
  const sent = text.slice(0, charsMax).toWellFormed().replaceAll('\0', ' ')
  return sent.trim() === '' ? '.' : sent
}

/** Estimates tokens where an endpoint does not count them. */
export function estimatedTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

/** This is a rough mean over languages. */
const CHARS_PER_TOKEN = 4
