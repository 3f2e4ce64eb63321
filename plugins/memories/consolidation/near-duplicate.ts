import { denies, lexicons, wordSet, writtenOut } from 'mneme/plugin'
import { isCode, linesOf, type Token, tokensOf } from './tokens.ts'

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

/** Expands English contractions that have only one reading. */
function expandContractions(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word') return [token]
    const next = tokens[index + 1]
    const full = writtenOut(token.text, next?.kind === 'word' ? next.text : undefined)
    return full?.map((text, n) => word(text, n === 0 ? token.typed : undefined)) ?? [token]
  })
}

function word(text: string, typed = text): Token {
  return { kind: 'word', text, typed }
}

/** Courtesies around a statement state nothing, so the comparison drops them. The longest phrase comes first. */
const OPENINGS = phrases(lexicons.OPENING_COURTESIES)

/**
 * A courtesy that opens a statement without a pause may also follow it after one ("…, please remember that"). Greetings may not: "mum, dad,
 * hello" is a list.
 */
const CLOSINGS = phrases([
  ...lexicons.CLOSING_COURTESIES,
  ...lexicons.OPENING_COURTESIES.filter(phrase => !phrase.includes('|')).map(phrase => `| ${phrase}`),
])

function phrases(list: readonly string[]): readonly (readonly string[])[] {
  return list.map(phrase => phrase.split(' ')).sort((a, b) => b.length - a.length)
}

/** Longer phrases at the beginning are seldom a place or a time alone. */
const PHRASE_WORDS_MAX = 5

/**
 * Moves a place or time from the beginning to the end: "On weekdays, Nora parks in the garage". Only in a plain statement of one clause, where
 * it can belong to nothing else; a phrase with a number or a negation stays, and so does one before them. One that stays loses the pause behind it.
 */
function withAdjunctLast(tokens: readonly Token[]): readonly Token[] {
  if (!PREPOSITIONS.has(tokens[0]?.text ?? '')) return tokens
  const length = phraseLength(tokens)
  const phrase = tokens.slice(0, length)
  if (phrase.length < 2 || !phrase.every(isPlainWord)) return tokens
  const clause = tokens.slice(length).filter(({ kind }) => kind !== 'pause')
  if (clause.length > 1 && clause.every(isPlainWord)) return [...clause, ...phrase.map(inside)]
  return tokens.filter(({ kind }, index) => index !== length || kind !== 'pause')
}

/** A pause ends the phrase; without one it is taken to have one word behind its preposition and a determiner. */
function phraseLength(tokens: readonly Token[]): number {
  const pause = tokens.findIndex(({ kind }) => kind === 'pause')
  if (pause > 1 && pause <= PHRASE_WORDS_MAX) return pause
  return DETERMINERS.has(tokens[1]?.text ?? '') ? 3 : 2
}

/** Only the beginning of the text gave the first word its capital. */
function inside(token: Token, index: number): Token {
  return index === 0 ? { ...token, typed: token.text } : token
}

function isPlainWord({ kind, text }: Token): boolean {
  return kind === 'word' && !CONJUNCTIONS.has(text) && !POLAR.has(text) && !CLAUSES.has(text) && !ATTACHING.has(text)
}

/** The lexicons by which statements are compared, as sets. */
const CONJUNCTIONS = wordSet(lexicons.CONJUNCTIONS)

const PREPOSITIONS = wordSet(lexicons.ADJUNCT_PREPOSITIONS)

const DETERMINERS = wordSet(lexicons.DETERMINERS)

const EMPHASES = wordSet(lexicons.EMPHASES)

const POLAR = wordSet(lexicons.POLAR_WORDS)

const KEEP_THE = wordSet(lexicons.KEEP_THE)

const CLAIMING = wordSet(lexicons.CLAIMING_VERBS)

const CLAUSE_SUBJECTS = wordSet(lexicons.CLAUSE_SUBJECTS)

const CLAUSES = wordSet(lexicons.CLAUSE_OPENERS)

const ATTACHING = wordSet(lexicons.ATTACHING_PREPOSITIONS)

const SECRETS = wordSet(lexicons.SECRETS)

const ALSO_NAMES = wordSet(lexicons.ALSO_NAMES)

const SIZED_UNITS = wordSet(lexicons.SIZED_UNITS)

const BEFORE_VERB = wordSet(lexicons.BEFORE_VERB)
