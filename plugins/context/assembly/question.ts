import { piecesOf } from './pieces.ts'

/** A search takes so much, in UTF-16 units. */
const QUESTION_MAX = 1000
/** Most messages ask at their end, and say at their beginning what they are about. */
const END_MAX = 700
const BEGINNING_MAX = QUESTION_MAX - END_MAX - 1
/** So much of either end is looked at for where sentences begin and end. */
const REACH = 4 * END_MAX

/** Gives what is searched for to answer a message: all of it, or of a long one its first sentences and its last. */
export function questionOf(message: string): string {
  const text = message.trim()
  if (text.length <= QUESTION_MAX) return text
  return `${beginningOf(text.slice(0, REACH))} ${endOf(text.slice(-REACH))}`
}

function beginningOf(text: string): string {
  let end = 0
  for (const piece of piecesOf(text, BEGINNING_MAX)) {
    if (piece.end > BEGINNING_MAX) break
    end = piece.end
  }
  return text.slice(0, end).trim()
}

function endOf(text: string): string {
  const first = [...piecesOf(text, END_MAX)].find(({ start }) => text.length - start <= END_MAX)
  return text.slice(first?.start).trim()
}
