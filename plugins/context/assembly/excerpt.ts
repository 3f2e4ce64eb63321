import { foldWord, type Steps, sentencesIn, stemmerFor, wordSegments } from 'mneme/plugin'

/** A part of a text, or the whole of one that fits. */
export interface Excerpt {
  readonly text: string
  readonly isWhole: boolean
}

/** It stands where text was left out. */
const OMITTED = '…'
/** Marks of omission and the spaces beside them, at both ends. */
const MARKS_LENGTH = 4
/** A longer sentence, as of a speech or a language without full stops, is divided. */
const PIECE_MAX = 200
const PIECE_MIN = 40
/** Sentences are looked for in so much of a text at once, which takes a few milliseconds at the most. */
const BLOCK_MAX = 2_000

const stem = stemmerFor(undefined)

/** The words of a text in the form in which they are compared. */
export function* stemsIn(text: string): Generator<string> {
  for (const { segment, isWord } of wordSegments(text)) if (isWord) yield stem(foldWord(segment))
}

/**
 * Takes the stretch of a text that tells most by some words, of at most `max` UTF-16 units on one line, with marks where text was left out. The fewer
 * sentences of the text hold a word, the more it tells, so that no language needs a list of words that tell nothing. Without any of them
 * it is the beginning. It yields between sentences.
 */
export function* excerpt(text: string, words: ReadonlySet<string>, max: number): Steps<Excerpt> {
  const whole = onOneLine(text)
  if (whole.length <= max) return { text: whole, isWhole: true }
  const room = max - MARKS_LENGTH
  const pieces: Piece[] = []
  for (const piece of piecesOf(text, Math.min(PIECE_MAX, room), words)) {
    pieces.push(piece)
    yield
  }
  const { first, last } = bestRow(pieces, room)
  const [start, end] = [pieces[first]?.start ?? 0, pieces[last]?.end ?? 0]
  const [before, after] = [first > 0, last < pieces.length - 1]
  const told = `${before ? `${OMITTED} ` : ''}${onOneLine(text.slice(start, end))}${after ? ` ${OMITTED}` : ''}`
  return { text: told, isWhole: !before && !after }
}

/** Puts a text on one line, with single spaces. */
export function onOneLine(text: string): string {
  return text.split(SPACES).join(' ').trim()
}

const SPACES = /[\s\p{Cc}]+/u

/** A sentence or a part of one. */
interface Piece {
  readonly start: number
  readonly end: number
  /** Those that are looked for. */
  readonly words: ReadonlySet<string>
}

/** Sentences of a few letters go together. */
function* piecesOf(text: string, max: number, wanted: ReadonlySet<string>): Generator<Piece> {
  let open: Piece | undefined
  for (const { start, text: part } of sentencesOf(text, max)) {
    const end = start + part.length
    const words = [...stemsIn(part)].filter(word => wanted.has(word))
    if (open && end - open.start <= Math.min(PIECE_MIN, max)) {
      open = { start: open.start, end, words: new Set([...open.words, ...words]) }
    } else {
      if (open) yield open
      open = { start, end, words: new Set(words) }
    }
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

interface Row {
  readonly first: number
  readonly last: number
  readonly weight: number
}

/** Finds the pieces in a row that tell most: of rows about the same words the one in the middle, which has what goes before and after. */
function bestRow(pieces: readonly Piece[], room: number): Row {
  const rows = rowsOf(pieces, room)
  const most = Math.max(0, ...rows.map(({ weight }) => weight))
  const from = rows.findIndex(({ weight }) => weight === most)
  const run = rows.slice(from).findIndex(({ weight }) => weight !== most)
  const to = run === -1 ? rows.length - 1 : from + run - 1
  return rows[most === 0 ? 0 : (from + to + 1) >> 1] ?? { first: 0, last: -1, weight: 0 }
}

/** All rows that are as long as fits, one from each piece on, up to the one that reaches the end. */
function rowsOf(pieces: readonly Piece[], room: number): Row[] {
  const rows: Row[] = []
  const held = new HeldWords(pieces)
  let last = -1
  for (const [first, piece] of pieces.entries()) {
    for (let next = pieces[last + 1]; next && next.end - piece.start <= room; next = pieces[last + 1]) {
      held.add(next)
      last++
    }
    rows.push({ first, last, weight: held.weight })
    if (last === pieces.length - 1) break
    held.remove(piece)
  }
  return rows
}

/** Sums up what the words of a row tell, each once. */
class HeldWords {
  weight = 0
  readonly #tells: ReadonlyMap<string, number>
  readonly #counts = new Map<string, number>()

  constructor(pieces: readonly Piece[]) {
    const holding = Map.groupBy(
      pieces.flatMap(({ words }) => [...words]),
      word => word,
    )
    // In whole numbers, so that rows about the same words are equal.
    const tells = (count: number) => Math.round(1000 * Math.log(1 + pieces.length / count))
    this.#tells = new Map([...holding].map(([word, { length }]) => [word, tells(length)]))
  }

  add({ words }: Piece): void {
    for (const word of words) this.#count(word, 1)
  }

  remove({ words }: Piece): void {
    for (const word of words) this.#count(word, -1)
  }

  #count(word: string, change: 1 | -1): void {
    const before = this.#counts.get(word) ?? 0
    this.#counts.set(word, before + change)
    const isNew = change === 1 && before === 0
    if (isNew || before + change === 0) this.weight += change * (this.#tells.get(word) ?? 0)
  }
}
