import { lexicons, wordSet } from '../index.ts'
import type { Piece } from './mentions.ts'
import type { Mention } from './parts.ts'
import { isEnglishWord } from './units.ts'

/** Only a relationship makes an entity of what nothing but its place in a list shows to be a name. */
const BY_LIST = 0.25

const LINKS = wordSet(lexicons.NAME_LINKS)

/**
 * Reads as names what stands among the names of a list and is no word of the language, as "dbt" of "Airflow, dbt and Snowflake", so that what
 * is said of the list is said of all of it. A list goes on where a link stands between two, and ends with a name, or with the clause.
 */
export function withConjuncts(pieces: readonly Piece[]): readonly Piece[] {
  const read: Piece[] = [...pieces]
  for (let i = 2; i < pieces.length; i++) {
    const piece = pieces[i]
    if (!piece || piece.mention || !isUnknownWord(piece)) continue
    const before = linkBefore(read, i)
    if (before === undefined || !read[before]?.mention) continue
    if (goesOn(read, i) || (closesList(read, i, before) && linkBefore(read, before) !== undefined))
      read[i] = { unit: piece.unit, mention: named(piece) }
  }
  return read
}

function isUnknownWord({ unit: { text, lower } }: Piece): boolean {
  return /^\p{Ll}[\p{L}\p{N}.+#-]+$/u.test(text) && !isEnglishWord(lower)
}

function named({ unit: { text, start, end } }: Piece): Mention {
  return { name: text, start, end, type: undefined, confidence: BY_LIST }
}

/** The place of the conjunct before one, behind "," or "and" or both; undefined where no link stands before it. */
function linkBefore(pieces: readonly Piece[], index: number): number | undefined {
  if (!isLink(pieces[index - 1])) return undefined
  return isLink(pieces[index - 2]) ? index - 3 : index - 2
}

/** A name follows in the list, perhaps behind more of what is no word. */
function goesOn(pieces: readonly Piece[], index: number): boolean {
  for (let at = index; ; ) {
    if (!isLink(pieces[at + 1])) return false
    at += isLink(pieces[at + 2]) ? 3 : 2
    const next = pieces[at]
    if (next?.mention) return true
    if (!next || !isUnknownWord(next)) return false
  }
}

/** "…, tmux and zsh.": the last of several, behind another link than a comma, and the clause ends with it. */
function closesList(pieces: readonly Piece[], index: number, before: number): boolean {
  const next = pieces[index + 1]
  const last = pieces[index - 1]
  return before >= 0 && last?.unit.lower !== ',' && (!next || /^[.;!)]$/.test(next.unit.lower))
}

function isLink(piece: Piece | undefined): boolean {
  return piece !== undefined && !piece.mention && LINKS.has(piece.unit.lower)
}
