import { paragraphs } from '../ingest/prose.ts'
import { randomFrom } from './varied-texts.ts'

/** About all the prose that the installed packages ship: half a million characters. */
const PARAGRAPHS = 1800
/** A text keeps to a subject for this many characters. */
const PIECE = 700

let book: string | undefined

/** Real English prose of a given length, from random places, the same for the same number. */
export function proseText(n: number, characters: number): string {
  book ??= paragraphs(PARAGRAPHS).join(' ')
  const random = randomFrom(n)
  const pieces: string[] = []
  for (let left = characters; left > 0; left -= PIECE) {
    const from = book.indexOf(' ', Math.floor(random() * (book.length - 2 * PIECE))) + 1
    pieces.push(book.slice(from, from + Math.min(PIECE, left)))
  }
  return pieces.join(' ').slice(0, characters)
}
