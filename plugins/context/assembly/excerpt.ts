import { foldWord, oneLine, type Steps, stemmerFor, wordSegments } from 'mneme/plugin'
import { type Piece, piecesOf } from './pieces.ts'

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
  const whole = oneLine(text)
  if (whole.length <= max) return { text: whole, isWhole: true }
  const room = max - MARKS_LENGTH
  const pieces: ReadPiece[] = []
  for (const { start, end } of piecesOf(text, Math.min(PIECE_MAX, room))) {
    const held = new Set([...stemsIn(text.slice(start, end))].filter(word => words.has(word)))
    pieces.push({ start, end, words: held })
    yield
  }
  const { first, last } = bestRow(pieces, room)
  const [start, end] = [pieces[first]?.start ?? 0, pieces[last]?.end ?? 0]
  const [before, after] = [first > 0, last < pieces.length - 1]
  const told = `${before ? `${OMITTED} ` : ''}${oneLine(text.slice(start, end))}${after ? ` ${OMITTED}` : ''}`
  return { text: told, isWhole: !before && !after }
}

interface ReadPiece extends Piece {
  /** Those that are looked for. */
  readonly words: ReadonlySet<string>
}

interface Row {
  readonly first: number
  readonly last: number
  readonly weight: number
}

/** Finds the pieces in a row that tell most: of rows about the same words the one in the middle, which has what goes before and after. */
function bestRow(pieces: readonly ReadPiece[], room: number): Row {
  const rows = rowsOf(pieces, room)
  const most = Math.max(0, ...rows.map(({ weight }) => weight))
  const from = rows.findIndex(({ weight }) => weight === most)
  const run = rows.slice(from).findIndex(({ weight }) => weight !== most)
  const to = run === -1 ? rows.length - 1 : from + run - 1
  return rows[most === 0 ? 0 : (from + to + 1) >> 1] ?? { first: 0, last: -1, weight: 0 }
}

/** All rows that are as long as fits, one from each piece on, up to the one that reaches the end. */
function rowsOf(pieces: readonly ReadPiece[], room: number): Row[] {
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

  constructor(pieces: readonly ReadPiece[]) {
    const holding = Map.groupBy(
      pieces.flatMap(({ words }) => [...words]),
      word => word,
    )
    // In whole numbers, so that rows about the same words are equal.
    const tells = (count: number) => Math.round(1000 * Math.log(1 + pieces.length / count))
    this.#tells = new Map([...holding].map(([word, { length }]) => [word, tells(length)]))
  }

  add({ words }: ReadPiece): void {
    for (const word of words) this.#count(word, 1)
  }

  remove({ words }: ReadPiece): void {
    for (const word of words) this.#count(word, -1)
  }

  #count(word: string, change: 1 | -1): void {
    const before = this.#counts.get(word) ?? 0
    this.#counts.set(word, before + change)
    const isNew = change === 1 && before === 0
    if (isNew || before + change === 0) this.weight += change * (this.#tells.get(word) ?? 0)
  }
}
