/** Of an entity's name: NFKC, lower case, inner spaces to one, punctuation at the ends dropped. */
export function normalName(name: string): string {
  const spaced = name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
  const bare = spaced.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '')
  // Of a name that is nothing but punctuation, something has to be left.
  return bare === '' ? spaced : bare
}
