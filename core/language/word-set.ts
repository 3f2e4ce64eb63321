/** Makes a set of a lexicon: of one list, or of the lists of all its languages. */
export function wordSet(lexicon: readonly string[] | Readonly<Record<string, readonly string[]>>): ReadonlySet<string> {
  return new Set(isList(lexicon) ? lexicon : Object.values(lexicon).flat())
}

function isList(
  lexicon: readonly string[] | Readonly<Record<string, readonly string[]>>,
): lexicon is readonly string[] {
  return Array.isArray(lexicon)
}
