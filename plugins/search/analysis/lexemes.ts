import { foldWord } from 'mneme/plugin'
import { sigilOf, withoutGrouping } from './identifiers.ts'
import type { Atom } from './scan.ts'

/** The bound of a lexeme in UTF-16 units is at most 600 bytes of UTF-8, far below the 2 KB that Postgres allows. */
export const LEXEME_LENGTH_MAX = 200

/** Bounds a lexeme: a longer one keeps its start and a hash of the whole, so that equality stays exact. */
export function bounded(lexeme: string): string {
  if (lexeme.length <= LEXEME_LENGTH_MAX) return lexeme
  return `${lexeme.slice(0, LEXEME_LENGTH_MAX - 20).toWellFormed()}~${hash(lexeme)}`
}

/** Returns the surface of a word, which comparisons "as typed" use. */
export function surfaceOf(atom: Atom): string {
  return bounded(foldWord(withoutGrouping(atom.text)))
}

/** Checks that only joiners separate this word from the previous one, as in "worker.ts". */
export function isGlued(atom: Atom, before: Atom | undefined): before is Atom {
  return atom.link === 'joined' && atom.lead !== '' && atom.kind === 'word' && before?.kind === 'word'
}

/**
 * Returns a word's punctuation: `glued` joins it to the previous word (".ts" of "worker.ts"), `sigil` belongs to the word itself ("#tag",
 * ".NET", also inside "ASP.NET").
 */
export function attachments(atom: Atom, before: Atom | undefined, surface: string): { glued: string; sigil: string } {
  const sign = sigilOf(atom.lead)
  return {
    glued: isGlued(atom, before) ? bounded(atom.lead + surface) : '',
    sigil: sign === '' ? '' : bounded(sign + surface),
  }
}

/** Recognises parts of an ordinary hyphenated word ("well-known"), which neither digits nor case mark as code. */
export function isHyphenated(atom: Atom, before: Atom | undefined): boolean {
  return isGlued(atom, before) && atom.lead === '-' && isPlain(atom.text) && isPlain(before.text)
}

/** Returns the letters of an abbreviation with full stops ("USA" for "U.S.A."), or ''. */
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

/** Computes 64-bit FNV-1a in two halves, written in base 36. */
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
