import { denies } from 'mneme/plugin'
import { expandContractions } from './contractions.ts'
import { CLOSINGS, OPENINGS } from './courtesies.ts'
import { isCode, linesOf, type Token, tokensOf } from './tokens.ts'
import { withAdjunctLast } from './word-order.ts'
import {
  ALSO_NAMES,
  BEFORE_VERB,
  CLAIMING,
  CLAUSE_SUBJECTS,
  EMPHASES,
  KEEP_THE,
  POLAR,
  SECRETS,
  SIZED_UNITS,
} from './words.ts'

/** Longer texts (in UTF-16 units) are not compared: near-duplicates among them are rare and expensive to find. */
export const COMPARED_LENGTH_MAX = 10_000

/**
 * Decides whether two texts make the same statement in nearly the same words. They may differ in letter case, spaces, marks between and at
 * the ends of sentences, English contractions, "the", words of emphasis, a place or time at the beginning or the end, and courtesies around the statement.
 * Every other word, number and sign, and their order, must be equal, so texts that differ in a number, a date, a name or a negation are never near-duplicates.
 */
export function isNearDuplicate(a: string, b: string): boolean {
  const content = normalizedContent(a)
  return content !== undefined && content === normalizedContent(b)
}

/**
 * Normalizes a text so that near-duplicates become equal strings. {@link isNearDuplicate} is equality of these strings, which makes it
 * transitive and lets an index look near-duplicates up. Undefined when the text has nothing to compare.
 */
export function normalizedContent(text: string): string | undefined {
  if (text.length > COMPARED_LENGTH_MAX) return undefined
  if (isCode(text)) return `code ${linesOf(text).join('\n')}`
  const typed = tokensOf(text)
  const statement = statementOf(expandContractions(mergePauses(typed)))
  const tokens = withAdjunctLast(withoutEmphases(statement, text))
  if (!tokens.some(({ kind }) => kind === 'word' || kind === 'exact')) return undefined
  const casing = casingOf(typed)
  const spoken = withoutQuotes(tokens)
  return spoken.flatMap((_, index) => comparableToken(spoken, index, casing)).join(' ')
}

/** `exact` compares letters as typed. `meaningful` treats capitals as deliberate. `ignored` treats them as accidental. */
type Casing = 'exact' | 'meaningful' | 'ignored'

function casingOf(tokens: readonly Token[]): Casing {
  const typed = tokens.flatMap(token => (token.kind === 'word' && token.typed ? [token.typed] : []))
  if (typed.some(word => SECRETS.has(word.toLowerCase()))) return 'exact'
  const all = typed.join('')
  if (all === all.toLowerCase() || all === all.toUpperCase()) return 'ignored'
  const longer = typed.filter(word => word.length > 3)
  return longer.length > 2 && longer.every(isCapitalized) ? 'ignored' : 'meaningful'
}

/** Returns the comparable form of one token, or nothing where the token is dropped. */
function comparableToken(tokens: readonly Token[], index: number, casing: Casing): string[] {
  const token = tokens[index]
  const [before, next] = [tokens[index - 1], tokens[index + 1]]
  if (!token) return []
  switch (token.kind) {
    case 'exact':
      return [`=${token.text}`]
    case 'mark':
      return [`~${token.text}`]
    case 'pause':
      return pauseOf(token, before, next, casing)
    case 'word':
      return isOptionalWord(token, before, next, casing) ? [] : [wordOf(token, before, casing)]
  }
}

/** Quotation marks tell no statements apart, and a question mark is one more end of a sentence. */
function withoutQuotes(tokens: readonly Token[]): Token[] {
  const spoken = tokens.filter(({ kind, text }) => !(kind === 'mark' && text === '"'))
  return mergePauses(
    spoken.map(token => (token.kind === 'mark' && token.text === '?' ? { ...token, kind: 'pause' } : token)),
  )
}

/**
 * A pause counts only where it is the content: as typed between numbers, as a dash beside a number, which may be a minus, between names ("Ann,
 * Mary" are two), and behind a word whose reach it ends ("No, coffee for Ben").
 */
function pauseOf({ text }: Token, before: Token | undefined, next: Token | undefined, casing: Casing): string[] {
  if (!before || !next) return []
  if (before.kind === 'exact' && next.kind === 'exact') return [`|${text}`]
  const isMinus = /[–—-]/.test(text) && (before.kind === 'exact' || next.kind === 'exact')
  const isBetweenNames = casing === 'meaningful' && isName(before) && isName(next)
  return isMinus || isBetweenNames || POLAR.has(before.text) ? ['|'] : []
}

function isName({ kind, text, typed = text }: Token): boolean {
  return kind === 'word' && isCapitalized(typed) && !CLAUSE_SUBJECTS.has(text)
}

/** Recognises "the", and "that" between a verb and its clause, where dropping them does not change the statement. */
function isOptionalWord({ text }: Token, before: Token | undefined, next: Token | undefined, casing: Casing): boolean {
  if (next?.kind !== 'word') return false
  if (text === 'the') return !KEEP_THE.has(next.text) && !(casing === 'meaningful' && isCapitalized(next.typed ?? ''))
  return text === 'that' && CLAUSE_SUBJECTS.has(next.text) && before?.kind === 'word' && CLAIMING.has(before.text)
}

function wordOf({ text, typed = text }: Token, before: Token | undefined, casing: Casing): string {
  if (casing === 'exact') return typed
  if (before?.kind === 'exact' && SIZED_UNITS.has(text)) return typed
  const isInside = before?.kind === 'word' || before?.kind === 'exact'
  return casing === 'meaningful' && isInside && isCapitalized(typed) && ALSO_NAMES.has(text) ? `^${text}` : text
}

function isCapitalized(word: string): boolean {
  const [first = ''] = word
  return first !== first.toLowerCase()
}

/** Drops words that only stress the statement. They count beside a negation ("not really"), in questions and quotations, and as names. */
function withoutEmphases(tokens: readonly Token[], text: string): readonly Token[] {
  if (tokens.some(({ kind }) => kind === 'mark') || denies(text)) return tokens
  const rest = tokens.filter((token, index) => !isEmphasis(token, tokens[index - 1]))
  return rest.some(({ kind }) => kind === 'word') ? mergePauses(rest) : tokens
}

function isEmphasis({ kind, text, typed = text }: Token, before: Token | undefined): boolean {
  return kind === 'word' && EMPHASES.has(text) && !(before?.kind === 'word' && isCapitalized(typed))
}

/** Drops pauses at both ends and merges adjacent ones. */
function mergePauses(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  for (const token of tokens) {
    const last = kept.at(-1)
    if (token.kind !== 'pause') kept.push(token)
    else if (last?.kind === 'pause') kept[kept.length - 1] = { kind: 'pause', text: last.text + token.text }
    else if (last) kept.push(token)
  }
  if (kept.at(-1)?.kind === 'pause') kept.pop()
  return kept
}

/** Drops quotation marks around the whole text, which come from the caller and not from the statement. */
function withoutOuterQuotes(tokens: readonly Token[]): readonly Token[] {
  const quotes = tokens.filter(({ kind, text }) => kind === 'mark' && text === '"').length
  const isQuoted = tokens.length > 2 && tokens[0]?.text === '"' && tokens.at(-1)?.text === '"'
  return isQuoted && quotes === 2 ? tokens.slice(1, -1) : tokens
}

/** Courtesies and quotation marks are removed in at most this many nested layers. */
const LAYERS_MAX = 4

/** Removes courtesies and outer quotation marks. A text that consists of courtesies alone keeps them. */
function statementOf(tokens: readonly Token[]): readonly Token[] {
  let rest = tokens
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    const inner = mergePauses(withoutClosing(withoutOpening(withoutOuterQuotes(rest))))
    if (inner.length === rest.length) break
    rest = inner
  }
  return rest.some(({ kind }) => kind === 'word' || kind === 'exact') ? rest : tokens
}

function withoutOpening(tokens: readonly Token[]): readonly Token[] {
  const opening = OPENINGS.find(phrase => matches(tokens, 0, phrase))
  return opening ? tokens.slice(opening.length) : tokens
}

function withoutClosing(tokens: readonly Token[]): readonly Token[] {
  const closing = CLOSINGS.find(phrase => closes(tokens, phrase))
  return closing ? tokens.slice(0, -closing.length) : tokens
}

function closes(tokens: readonly Token[], phrase: readonly string[]): boolean {
  const from = tokens.length - phrase.length
  if (!matches(tokens, from, phrase)) return false
  return phrase[0] === '|' || !BEFORE_VERB.has(tokens[from - 1]?.text ?? '')
}

function matches(tokens: readonly Token[], from: number, phrase: readonly string[]): boolean {
  // A courtesy never matches the whole text, because something has to remain.
  if (from < 0 || tokens.length <= phrase.length) return false
  return phrase.every((part, index) => {
    const token = tokens[from + index]
    return part === '|' ? token?.kind === 'pause' : token?.kind === 'word' && token.text === part
  })
}
