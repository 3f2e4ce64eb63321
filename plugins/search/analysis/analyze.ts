import {
  finish,
  foldWord,
  normalizeText,
  primaryTag,
  type Stemmer,
  type Steps,
  stemmerFor,
  UNDETERMINED,
} from 'mneme/plugin'
import { sigilOf, withoutGrouping, wordParts } from './identifiers.ts'
import { type Atom, gramsAt, scan, wordsOf } from './scan.ts'
import { groupedDigitsAt, withoutDot, withoutUmlauts } from './spellings.ts'

/** The role of a token; all except forms and aliases count for BM25. */
type TokenRole =
  /** A word, an emoji, or a pair of characters of a script without spaces. */
  | 'word'
  /** A part of a word ("user" of "getUser") or a single Han character; it counts, but no query requires it. */
  | 'part'
  /** A word with its signs, or several words as one token, as typed: "#tag", "C++", "src/queue/worker.ts". */
  | 'compound'
  /** Another form under which the word is found as typed (".ts", "anna's", "userById"). */
  | 'form'
  /** Another form under which the word is found unless quoted ("dont" for "don't", "email" for "e-mail"). */
  | 'alias'

export interface Token {
  /** The token as typed, folded and in lower case; '' for a part or alias that was not typed. */
  surface: string
  /** The stem, equal for all inflections of a word; equal to `surface` without a stemmer. */
  stem: string
  /** The position counts from 1. A word takes one position, a script without spaces one per character. */
  position: number
  role: TokenRole
}

export interface Analysis {
  tokens: Token[]
  /** The number of positions, which is the document length of BM25. */
  length: number
  /** The language of the stemmer: a primary tag, or {@link UNDETERMINED}. */
  language: string
}

interface AnalysisOptions {
  /** The BCP 47 tag of the text's language; without it each word uses that of its script (English for Latin letters). */
  language?: string | undefined
}

/** Splits a text into tokens. It accepts any string, malformed ones included, and runs in linear time. */
export function analyze(text: string, options: AnalysisOptions = {}): Analysis {
  return finish(analysisSteps(text, options))
}

/** Splits a text in steps of a few milliseconds, so that a caller can yield the thread in between. */
export function* analysisSteps(text: string, options: AnalysisOptions = {}): Steps<Analysis> {
  const normal = normalizeText(text)
  yield
  const atoms = scan(normal)
  yield
  const language = options.language === undefined ? UNDETERMINED : primaryTag(options.language)
  return { ...(yield* atomSteps(atoms, stemmerFor(options.language))), language }
}

export function analyzeAtoms(atoms: readonly Atom[], stem: Stemmer): Omit<Analysis, 'language'> {
  return finish(atomSteps(atoms, stem))
}

/** A word makes up to ten tokens, so this many atoms take about a millisecond. */
const ATOMS_PER_STEP = 200

function* atomSteps(atoms: readonly Atom[], stem: Stemmer): Steps<Omit<Analysis, 'language'>> {
  const tokens: Token[] = []
  let spansLeft = SPANS_MAX
  let position = 1
  let before: Atom | undefined
  let compoundFrom = 0
  let groupsUntil = 0
  for (let i = 0; i < atoms.length; i++) {
    const atom = atoms[i]
    if (atom === undefined) break
    if (i % ATOMS_PER_STEP === ATOMS_PER_STEP - 1) yield
    if (!isGlued(atom, before)) {
      addCompound(tokens, atoms, compoundFrom, i, position, stem)
      compoundFrom = i
    }
    if (i >= groupsUntil) {
      const { groups, whole } = groupedDigitsAt(atoms, i)
      groupsUntil = i + groups
      if (whole !== '') addNumber(tokens, whole, atom.lead, position)
    }
    if (atom.kind === 'word') spansLeft -= addWord(tokens, atom, before, position++, stem, spansLeft)
    else if (atom.kind === 'pictograph') tokens.push(token(atom.text, atom.text, position++, 'word'))
    else position += yield* runSteps(tokens, atom, position)
    before = atom
  }
  addCompound(tokens, atoms, compoundFrom, atoms.length, position, stem)
  return { tokens, length: position - 1 }
}

/** Counts the occurrences of each stem for BM25; forms and aliases do not count. */
export function termCounts(analysis: Analysis): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { stem, role } of analysis.tokens) {
    if (role !== 'form' && role !== 'alias') counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return counts
}

function token(surface: string, stem: string, position: number, role: TokenRole): Token {
  return { surface, stem, position, role }
}

/** Adds a number as it is written without its groups. */
function addNumber(tokens: Token[], whole: string, lead: string, position: number): void {
  tokens.push(token(whole, whole, position, 'part'))
  if (lead.endsWith('+')) tokens.push(token(`+${whole}`, `+${whole}`, position, 'form'))
}

/** A page of keys or hashes has tens of thousands of spans that nobody searches for; code has some hundreds. */
const SPANS_MAX = 4000

/**
 * Adds the tokens of one word.
 * @param spansMax how many more spans the text may add
 * @returns how many of them this word used
 */
function addWord(
  tokens: Token[],
  atom: Atom,
  before: Atom | undefined,
  position: number,
  stem: Stemmer,
  spansMax: number,
): number {
  const surface = surfaceOf(atom)
  const form = (text: string) => tokens.push(token(bounded(text), bounded(text), position, 'form'))
  if (atom.clitic === "'t") {
    tokens.push(token(surface + atom.clitic, surface + atom.clitic, position, 'word'))
    tokens.push(token('', stem(`${surface}t`), position, 'alias'))
  } else {
    tokens.push(token(surface, stem(surface), position, 'word'))
    if (atom.clitic !== '') form(surface + atom.clitic)
  }
  const spelled = withoutUmlauts(atom.text)
  if (spelled !== '') tokens.push(token('', stem(bounded(spelled)), position, 'part'))
  if (atom.lead !== '') {
    const { glued, sigil } = attachments(atom, before, surface)
    if (glued !== '') form(glued)
    if (sigil !== '' && sigil !== glued) tokens.push(token(sigil, sigil, position, glued === '' ? 'compound' : 'form'))
  }
  if (atom.trail !== '') tokens.push(token(surface + atom.trail, surface + atom.trail, position, 'compound'))
  const { pieces, spans, ranked } = wordParts(atom.text, spansMax > 0)
  for (const piece of pieces) {
    const folded = foldWord(piece)
    tokens.push(token(folded, stem(folded), position, ranked && folded.length > 1 ? 'part' : 'form'))
  }
  for (const span of spans) form(foldWord(span))
  return spans.length
}

/** A text without spaces is a single run, of which this many characters take about a millisecond. */
const CHARACTERS_PER_STEP = 1000

/** Adds the tokens of a run in a script without spaces. @returns how many positions it takes */
function* runSteps(tokens: Token[], atom: Atom, position: number): Steps<number> {
  const southeast = atom.kind === 'southeast'
  const characters = Array.from(atom.text)
  for (let from = 0; from < characters.length; from += CHARACTERS_PER_STEP) {
    if (from > 0) yield
    const part = characters.slice(from, from + CHARACTERS_PER_STEP)
    for (const gram of part.flatMap((_, at) => gramsAt(characters, from + at))) {
      const role = gram.whole && !southeast ? 'word' : gram.telling && !southeast ? 'part' : 'form'
      tokens.push(token(gram.text, gram.text, position + gram.offset, role))
    }
    for (const word of southeast ? wordsOf(part.join('')) : []) {
      const text = bounded(word.text)
      tokens.push(token(text, text, position + from + word.offset, 'word'))
    }
  }
  return characters.length
}

/** Longer chains of glued words are data or paths that nobody types in full; their parts still find them. */
const COMPOUND_LENGTH_MAX = 200

/** Adds the token formed by the atoms `from` to `to` as typed; `next` is the position after them. */
function addCompound(
  tokens: Token[],
  atoms: readonly Atom[],
  from: number,
  to: number,
  next: number,
  stem: Stemmer,
): void {
  if (to - from < 2) return
  const position = next - (to - from)
  let typed = ''
  let hyphenated = true
  for (let i = from; i < to && typed.length <= COMPOUND_LENGTH_MAX; i++) {
    const atom = atoms[i]
    if (atom === undefined) return
    if (i > from) {
      typed += atom.lead
      hyphenated &&= isHyphenated(atom, atoms[i - 1])
    }
    typed += surfaceOf(atom)
  }
  if (typed.length > COMPOUND_LENGTH_MAX) return
  if (to - from <= ACRONYM_LETTERS_MAX) {
    const acronym = acronymOf(atoms.slice(from, to))
    if (acronym !== '') tokens.push(token('', stem(acronym), position, 'part'))
  }
  const dotless = withoutDot(atoms.slice(from, Math.min(to, from + 3)))
  if (dotless !== '') tokens.push(token('', stem(dotless), position, 'part'))
  if (!hyphenated) tokens.push(token(typed, typed, position, 'compound'))
  else if (to - from === 2) tokens.push(token('', stem(typed.replace('-', '')), position, 'alias'))
}

/** The bound of a lexeme in UTF-16 units is at most 600 bytes of UTF-8, far below the 2 KB that Postgres allows. */
const LEXEME_LENGTH_MAX = 200

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

const ACRONYM_LETTERS_MAX = 8

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
