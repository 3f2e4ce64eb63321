import { foldWord } from 'mneme/plugin'
import type { Atom } from './scan.ts'

/** Letters that people without their key write as two, by DIN 5007-2 and the Scandinavian spellings. */
const AS_TWO = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['å', 'aa'],
  ['ø', 'oe'],
])

/** Returns a word as it is written without umlauts and rings ("juergen" for "Jürgen", "aarhus" for "Århus"), or ''. */
export function withoutUmlauts(word: string): string {
  const lower = word.toLowerCase()
  if (!/[äöüåø]/.test(lower)) return ''
  return foldWord(lower.replace(/[äöüåø]/g, letter => AS_TWO.get(letter) ?? letter))
}

/** Returns a name with a full stop inside in one word ("nodejs" for "Node.js"), or ''. */
export function withoutDot(atoms: readonly Atom[]): string {
  const [first, second] = atoms
  if (atoms.length !== 2 || !first || second?.lead !== '.' || second.link !== 'joined') return ''
  if (![first, second].every(({ kind, text }) => kind === 'word' && /^\p{L}{2,20}$/u.test(text))) return ''
  return foldWord(first.text + second.text)
}

/** Digits that follow each other in groups. */
interface GroupedDigits {
  /** The number of groups. */
  readonly groups: number
  /** All groups in one, in lower case; '' for a single one, and for more than a number has. */
  readonly whole: string
}

/** Telephone numbers have seven digits or more, cards up to 19; a longer row of numbers belongs to a table. */
const DIGITS = { min: 7, max: 19 }
/** ISO 13616 */
const IBAN_LENGTH = { min: 15, max: 34 }

/** Reads a telephone, card or account number in groups ("+49 151 2345678", "DE89 3704 0044 0532 0130 00") from `from` on. */
export function groupedDigitsAt(atoms: readonly Atom[], from: number): GroupedDigits {
  const isIban = /^[a-z]{2}\d{2}$/i.test(atoms[from]?.text ?? '')
  const group = isIban ? /^[a-z\d]{1,4}$/i : /^\d{1,12}$/
  const { min, max } = isIban ? IBAN_LENGTH : DIGITS
  let whole = ''
  let groups = 0
  for (; from + groups < atoms.length; groups++) {
    const { kind, text } = atoms[from + groups] ?? { kind: 'pictograph', text: '' }
    const last = atoms[from + groups - 1]?.text ?? ''
    if (kind !== 'word' || !group.test(text) || (isIban && groups > 0 && last.length < 4)) break
    if (whole.length <= max) whole += text
  }
  const isNumber = groups > 1 && whole.length >= min && whole.length <= max
  return { groups, whole: isNumber ? whole.toLowerCase() : '' }
}
