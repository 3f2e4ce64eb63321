import { sentencesIn, wordSegments } from 'mneme/plugin'

/** A sentence of a text, a part of a long one, or some short ones. */
export interface Piece {
  /** Its place in UTF-16 units, `end` exclusive. */
  readonly start: number
  readonly end: number
}

/** Sentences are looked for in so much of a text at once, which takes a few milliseconds at the most. */
const BLOCK_MAX = 2_000
/** Sentences that are shorter together are one piece. */
const PIECE_MIN = 40

/** Divides a text into pieces of at most `max` UTF-16 units, where sentences end, else words. */
export function* piecesOf(text: string, max: number): Generator<Piece> {
  let open: Piece | undefined
  for (const { start, text: part } of sentencesOf(text, max)) {
    const end = start + part.length
    const isJoined = open !== undefined && end - open.start <= Math.min(PIECE_MIN, max)
    if (open && !isJoined) yield open
    open = { start: open && isJoined ? open.start : start, end }
  }
  if (open) yield open
}

interface Part {
  readonly start: number
  readonly text: string
}

/** Finds the sentences of a text, and the parts of those that are too long. */
function* sentencesOf(text: string, max: number): Generator<Part> {
  for (const block of blocksOf(text))
    for (const sentence of sentencesIn(block.text))
      for (const part of partsOf(sentence.text, max))
        yield { start: block.start + sentence.start + part.start, text: part.text }
}

/** Divides a text where a line or a word ends. */
function* blocksOf(text: string): Generator<Part> {
  for (let start = 0; start < text.length; ) {
    const reach = text.slice(start, start + BLOCK_MAX)
    const space = Math.max(reach.lastIndexOf('\n'), reach.lastIndexOf(' ')) + 1
    const isLast = start + reach.length === text.length
    const block = isLast || space === 0 ? withoutHalfPair(reach) : reach.slice(0, space)
    yield { start, text: block }
    start += block.length
  }
}

/** Divides a sentence where words end; a word that is longer than a part is divided too. */
function* partsOf(sentence: string, max: number): Generator<Part> {
  let [start, end] = [0, 0]
  for (const { segment } of sentence.length <= max ? [] : wordSegments(sentence)) {
    if (segment.length <= max && end + segment.length - start > max) {
      yield { start, text: sentence.slice(start, end) }
      start = end
    }
    end += segment.length
    while (end - start > max) {
      const text = withoutHalfPair(sentence.slice(start, start + max))
      yield { start, text }
      start += text.length
    }
  }
  if (start < sentence.length) yield { start, text: sentence.slice(start) }
}

/** The second half of a sign belongs to what follows. */
function withoutHalfPair(text: string): string {
  return text.length > 1 ? text.replace(/[\uD800-\uDBFF]$/, '') : text
}
