import type { Candidate } from '../engine/engine.ts'

/** What is left of the evidence of a text by somebody else than the one the query names. */
const OTHER_SPEAKER = 0.72

/**
 * In transcripts ("Ada: …") a question about a person is mostly answered by that person. Where the query names exactly one of
 * several speakers, texts by the others count less; texts without a speaker are left alone.
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

/** By the full name or by its first word ("Ada Lovelace" is named by "Ada"). */
function isNamed(speaker: string, words: ReadonlySet<string>): boolean {
  const [first = ''] = speaker.split(' ')
  return words.has(first)
}
