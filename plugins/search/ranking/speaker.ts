import type { Candidate } from '../engine/engine.ts'

/** A text by a speaker other than the named one keeps this share of its evidence. */
const OTHER_SPEAKER = 0.65

/**
 * In transcripts ("Ada: …") a question about a person is mostly answered by that person. If the query names exactly one of several
 * speakers, texts by the others count less; texts without a speaker are unaffected.
 * @param words words of the query in lower case
 */
export function speakerFactor(
  candidates: readonly Candidate[],
  words: ReadonlySet<string>,
): (candidate: Candidate) => number {
  const speakers = new Set(candidates.flatMap(({ traits }) => traits.speaker ?? []))
  const named = [...speakers].filter(speaker => isNamed(speaker, words))
  if (named.length !== 1 || speakers.size < 2) return () => 1
  const [only] = named
  return ({ traits }) => (traits.speaker === null || traits.speaker === only ? 1 : OTHER_SPEAKER)
}

/** A speaker is named by the full name or its first word ("Ada" names "Ada Lovelace"). */
function isNamed(speaker: string, words: ReadonlySet<string>): boolean {
  const [first = ''] = speaker.split(' ')
  return words.has(first)
}
