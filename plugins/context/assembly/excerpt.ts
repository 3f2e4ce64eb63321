import { foldWord, isFunctionWord, type Steps, sentencesIn, stemmerFor, wordSegments } from 'mneme/plugin'

/** It stands where text was left out. */
const OMITTED = '…'

/** Marks of omission and the spaces beside them, at both ends. */
const MARKS_LENGTH = 4

const stem = stemmerFor(undefined)

/** The words of a query by which sentences are chosen, in the form in which they are compared. */
export function tellingWords(query: string): ReadonlySet<string> {
  return new Set([...stems(query)].filter(word => !isFunctionWord(word)))
}

/**
 * Takes the sentences in a row that hold most of the words, the first of equals, from a text that is longer than `max` UTF-16 units. What is left out
 * is marked, within that length. It yields between sentences.
 */
export function* excerpt(text: string, words: ReadonlySet<string>, max: number): Steps<string> {
  const room = max - MARKS_LENGTH
  const sentences: Weighed[] = []
  for (const { start, end, text: sentence } of sentencesIn(text)) {
    sentences.push({ start, end, weight: weightOf(sentence, words) })
    yield
  }
  const { start, end } = bestRow(sentences, room)
  const chosen = text.slice(start, end)
  const kept = chosen.length > room ? cutAtWord(chosen, room) : chosen
  const [before, after] = [start > (sentences[0]?.start ?? 0), start + kept.length < (sentences.at(-1)?.end ?? 0)]
  return `${before ? `${OMITTED} ` : ''}${kept}${after ? ` ${OMITTED}` : ''}`
}

/** Cuts a text to a length at the end of a word, or within a word where there is a single one. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  for (const { segment } of wordSegments(text.slice(0, max + 1))) {
    if (end + segment.length > max) break
    end += segment.length
  }
  return text
    .slice(0, end === 0 ? max : end)
    .trimEnd()
    .replace(HALF_PAIR, '')
}

const HALF_PAIR = /[\uD800-\uDBFF]$/

interface Weighed {
  readonly start: number
  readonly end: number
  readonly weight: number
}

function weightOf(sentence: string, words: ReadonlySet<string>): number {
  return new Set([...stems(sentence)].filter(word => words.has(word))).size
}

function* stems(text: string): Generator<string> {
  for (const { segment, isWord } of wordSegments(text)) if (isWord) yield stem(foldWord(segment))
}

/** Finds the sentences in a row that fit and weigh most; a single one that does not fit is one as well. */
function bestRow(sentences: readonly Weighed[], room: number): Pick<Weighed, 'start' | 'end'> {
  let best = { start: 0, end: 0, weight: -1 }
  let [first, weight] = [0, 0]
  for (const last of sentences) {
    weight += last.weight
    for (let from = sentences[first]; from && from !== last && last.end - from.start > room; from = sentences[++first])
      weight -= from.weight
    const start = sentences[first]?.start ?? 0
    const grows = start === best.start && weight === best.weight
    if (weight > best.weight || grows) best = { start, end: last.end, weight }
  }
  return best
}
