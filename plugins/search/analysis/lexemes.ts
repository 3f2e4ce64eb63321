import { sigilOf, withoutGrouping } from './identifiers.ts'
import { foldWord } from './normalize.ts'
import type { Atom } from './scan.ts'

/** Bound of a lexeme in UTF-16 units: at most 600 bytes of UTF-8, far below the 2 KB Postgres allows. */
export const LEXEME_LENGTH_MAX = 200

/** A lexeme of bounded length: a longer one keeps its start and a hash of the whole, so that it stays exact. */
export function bounded(lexeme: string): string {
  if (lexeme.length <= LEXEME_LENGTH_MAX) return lexeme
  return `${lexeme.slice(0, LEXEME_LENGTH_MAX - 20).toWellFormed()}~${hash(lexeme)}`
}

/** The surface of a word: what "as typed" compares. */
export function surfaceOf(atom: Atom): string {
  return bounded(foldWord(withoutGrouping(atom.text)))
}

/** True when only joiners part this word from the one before, as in "worker.ts". */
export function isGlued(atom: Atom, before: Atom | undefined): before is Atom {
  return atom.link === 'joined' && atom.lead !== '' && atom.kind === 'word' && before?.kind === 'word'
}

/**
 * A word together with the punctuation before it: `glued` when that joins it to the word before (".ts" of
 * "worker.ts"), `sigil` when it belongs to the word itself ("#tag", ".NET", also inside "ASP.NET").
 */
export function attachments(atom: Atom, before: Atom | undefined, surface: string): { glued: string; sigil: string } {
  const sign = sigilOf(atom.lead)
  return {
    glued: isGlued(atom, before) ? bounded(atom.lead + surface) : '',
    sigil: sign === '' ? '' : bounded(sign + surface),
  }
}

/** True for the parts of a hyphenated word of everyday language ("well-known"), which no digit or case marks as code. */
export function isHyphenated(atom: Atom, before: Atom | undefined): boolean {
  return isGlued(atom, before) && atom.lead === '-' && isPlain(atom.text) && isPlain(before.text)
}

/** The letters of an abbreviation that is written with full stops ("USA" for "U.S.A."), or '' for anything else. */
export function acronymOf(atoms: readonly Atom[]): string {
  if (atoms.length < 2 || atoms.length > ACRONYM_LETTERS_MAX) return ''
  const dotted = atoms.every(
    (atom, i) => isLetter(atom) && (i === 0 || (atom.lead === '.' && isGlued(atom, atoms[i - 1]))),
  )
  return dotted ? atoms.map(surfaceOf).join('') : ''
}

export const ACRONYM_LETTERS_MAX = 8

function isLetter({ kind, text, clitic, trail }: Atom): boolean {
  return kind === 'word' && /^\p{L}\p{M}*$/u.test(text) && clitic === '' && trail === ''
}

function isPlain(word: string): boolean {
  return !/\p{N}/u.test(word)
}

/** 64-bit FNV-1a in two halves, base 36. */
function hash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13)
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36)
}
