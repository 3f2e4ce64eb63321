import { finish, type Steps } from 'mneme/plugin'
import { gramsOf, wordsOf } from './dense.ts'
import { wordParts } from './identifiers.ts'
import { ACRONYM_LETTERS_MAX, acronymOf, attachments, bounded, isGlued, isHyphenated, surfaceOf } from './lexemes.ts'
import { foldWord, normalizeText } from './normalize.ts'
import { type Atom, scan } from './scan.ts'
import { primaryTag, type Stemmer, stemmerFor, UNDETERMINED } from './stemming.ts'

/** What a token stands for; all but forms and aliases count for BM25. */
export type TokenRole =
  /** A word, an emoji, or a pair of characters of a script without spaces. */
  | 'word'
  /** A piece of a word ("user" of "getUser"), a single Han character: counts, but no query insists on it. */
  | 'part'
  /** A word with its signs, or several as one token, as typed: "#tag", "C++", "src/queue/worker.ts". */
  | 'compound'
  /** A further form under which the word is found as typed (".ts", "anna's", "userById"). */
  | 'form'
  /** A further form under which it is found unless quoted ("dont" for "don't", "email" for "e-mail"). */
  | 'alias'

export interface Token {
  /** Folded, lower-case, as typed; '' of a part or alias that nobody typed. */
  surface: string
  /** The same for all inflections of a word; equal to `surface` where there is no stemmer. */
  stem: string
  /** From 1. A word takes one position, a script without spaces one for each character. */
  position: number
  role: TokenRole
}

export interface Analysis {
  tokens: Token[]
  /** Number of positions: the document length of BM25. */
  length: number
  /** Whose stemmer was used: a primary tag, or {@link UNDETERMINED}. */
  language: string
}

export interface AnalysisOptions {
  /** BCP 47 tag of the text's language; without one each word has that of its script (English for Latin letters). */
  language?: string | undefined
}

/** Splits a text into tokens. Total: any string is taken, malformed ones included; linear in its length. */
export function analyze(text: string, options: AnalysisOptions = {}): Analysis {
  return finish(analysisSteps(text, options))
}

/** The same in steps of a few milliseconds, between which a caller can let others have the thread. */
export function* analysisSteps(text: string, options: AnalysisOptions = {}): Steps<Analysis> {
  const atoms = scan(normalizeText(text))
  yield
  const language = options.language === undefined ? UNDETERMINED : primaryTag(options.language)
  return { ...(yield* atomSteps(atoms, stemmerFor(options.language))), language }
}

export function analyzeAtoms(atoms: readonly Atom[], stem: Stemmer): Omit<Analysis, 'language'> {
  return finish(atomSteps(atoms, stem))
}

/** A word makes ten tokens at the worst, so that these take about a millisecond. */
const ATOMS_PER_STEP = 200

function* atomSteps(atoms: readonly Atom[], stem: Stemmer): Steps<Omit<Analysis, 'language'>> {
  const tokens: Token[] = []
  let spansLeft = SPANS_MAX
  let position = 1
  let before: Atom | undefined
  let compoundFrom = 0
  for (let i = 0; i < atoms.length; i++) {
    const atom = atoms[i]
    if (atom === undefined) break
    if (i % ATOMS_PER_STEP === ATOMS_PER_STEP - 1) yield
    if (!isGlued(atom, before)) {
      addCompound(tokens, atoms, compoundFrom, i, position, stem)
      compoundFrom = i
    }
    if (atom.kind === 'word') spansLeft -= addWord(tokens, atom, before, position++, stem, spansLeft)
    else if (atom.kind === 'pictograph') tokens.push(token(atom.text, atom.text, position++, 'word'))
    else position += addRun(tokens, atom, position)
    before = atom
  }
  addCompound(tokens, atoms, compoundFrom, atoms.length, position, stem)
  return { tokens, length: position - 1 }
}

/** How often each stem occurs, for BM25. Forms and aliases do not count. */
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

/** A page of keys or hashes has tens of thousands of longer pieces that nobody looks for; code has some hundreds. */
const SPANS_MAX = 4000

/**
 * @param spansMax longer pieces of words that the text may still add
 * @returns how many of them this word took
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

/** @returns how many positions the run takes */
function addRun(tokens: Token[], atom: Atom, position: number): number {
  const southeast = atom.kind === 'southeast'
  const { grams, length } = gramsOf(atom.text)
  for (const gram of grams) {
    const role = gram.whole && !southeast ? 'word' : gram.telling && !southeast ? 'part' : 'form'
    tokens.push(token(gram.text, gram.text, position + gram.offset, role))
  }
  if (southeast) {
    for (const word of wordsOf(atom.text)) {
      const text = bounded(word.text)
      tokens.push(token(text, text, position + word.offset, 'word'))
    }
  }
  return length
}

/** Longer chains of glued words are data or paths nobody types in full; their parts still find them. */
const COMPOUND_LENGTH_MAX = 200

/** Adds the token that the atoms `from` to `to` make as typed; `next` is the position after them. */
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
  if (!hyphenated) tokens.push(token(typed, typed, position, 'compound'))
  else if (to - from === 2) tokens.push(token('', stem(typed.replace('-', '')), position, 'alias'))
}
