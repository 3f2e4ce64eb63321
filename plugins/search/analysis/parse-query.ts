import { isFunctionWord, normalizeText, primaryTag, queryStemmers } from 'mneme/plugin'
import { analyzeAtoms } from './analyze.ts'
import { type Term, termsOf } from './query-term.ts'
import { CharacterClass, characterClass, characterLength, scan } from './scan.ts'
import { groupedDigitsAt } from './spellings.ts'

/** A parsed query; every clause has to hold. */
export interface Query {
  clauses: Clause[]
}

/** A clause holds when one of its terms is found, or, for an exclusion, when its term is not. */
export interface Clause {
  excluded: boolean
  /** The terms, at least one; an exclusion has exactly one. */
  terms: Term[]
}

/**
 * Parses the query language: words, "phrases", -exclusions, OR between terms, AND otherwise. It accepts any text: whatever is not an
 * operator is text, and parts with nothing to search for are dropped.
 */
export function parseQuery(text: string, options: QueryOptions = {}): Query {
  const given = (options.languages ?? []).map(primaryTag)
  const languages = given.length > 0 ? given : [primaryTag(undefined)]
  const stemmers = queryStemmers(languages)
  const clauses: Clause[] = []
  let joinNext = false
  const lexed = lex(normalizeText(text, QUERY_LENGTH_MAX), options.exclusions ?? true)
  const wholes = wholeNumbers(lexed)
  for (const [index, item] of lexed.entries()) {
    if (isOperator(lexed, index)) {
      joinNext = item.text === 'OR'
      continue
    }
    const atoms = scan(item.text)
    const terms = termsOf(atoms, {
      quoted: item.quoted,
      whole: wholes[index] ?? '',
      languages,
      stemmers,
      analyze: analyzeAtoms,
    })
    const previous = clauses.at(-1)
    for (const [at, term] of terms.entries()) {
      if (joinNext && at === 0 && previous !== undefined) previous.terms.push(term)
      else clauses.push({ excluded: item.excluded, terms: [term] })
    }
    if (terms.length > 0) joinNext = false
  }
  return { clauses }
}

export interface QueryOptions {
  /**
   * BCP 47 tags of the languages in which texts were analysed; a word matches the inflections of each. The first one determines the stems
   * to rank by. English by default.
   */
  languages?: readonly string[] | undefined
  /** False reads a hyphen before a term as text ("ls -la", "-40 degrees"), as queries in plain language mean it. True by default. */
  exclusions?: boolean | undefined
}

/** A search text has at most 1,000 characters, but normalisation can lengthen it. */
const QUERY_LENGTH_MAX = 4_000

interface Lexed {
  text: string
  quoted: boolean
  excluded: boolean
}

/** Lists for each item the whole number of which it is a group, so that a text with it in one piece is found by all its groups. */
function wholeNumbers(lexed: readonly Lexed[]): string[] {
  const wholes: string[] = []
  for (let at = 0; at < lexed.length; at++) {
    const { items, whole } = numberFrom(lexed, at)
    wholes.push(...Array.from({ length: items }, () => whole))
    at += items - 1
  }
  return wholes
}

/** A number has so many groups at the most. */
const GROUPS_MAX = 12

/** A group may be written with hyphens inside, so items and groups are counted apart. */
function numberFrom(lexed: readonly Lexed[], at: number): { items: number; whole: string } {
  const following = lexed.slice(at, at + GROUPS_MAX)
  const end = following.findIndex(({ quoted, excluded }) => quoted || excluded)
  const items = following.slice(0, end < 0 ? undefined : end).map(({ text }) => scan(text))
  const { groups, whole } = groupedDigitsAt(items.flat(), 0)
  let seen = 0
  const last = items.findIndex(atoms => {
    seen += atoms.length
    return seen >= groups
  })
  return whole !== '' && seen === groups ? { items: last + 1, whole } : { items: 1, whole: '' }
}

/** OR and AND are operators only between two terms that are not exclusions; elsewhere they are words. */
function isOperator(lexed: readonly Lexed[], index: number): boolean {
  const item = lexed[index]
  if (item === undefined || item.quoted || item.excluded || (item.text !== 'OR' && item.text !== 'AND')) return false
  const before = lexed[index - 1]
  const after = lexed[index + 1]
  if (before === undefined || after === undefined) return false
  if (item.text === 'AND') return true
  return !before.excluded && !after.excluded && !isOperator(lexed, index - 1)
}

function lex(text: string, exclusions: boolean): Lexed[] {
  const out: Lexed[] = []
  let at = 0
  while (at < text.length) {
    if (isSkipped(text, at)) {
      at += characterLength(text, at)
      continue
    }
    const excluded = exclusions && isExclusion(text, at)
    const from = excluded ? at + 1 : at
    const quoteEnd = closingQuote(text, from)
    if (quoteEnd > from) {
      out.push({ text: text.slice(from + 1, quoteEnd), quoted: true, excluded })
      at = quoteEnd + 1
    } else {
      const end = endOfChunk(text, from)
      out.push({ text: text.slice(from, end), quoted: false, excluded })
      at = end
    }
  }
  return out
}

function classAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? characterClass(text.codePointAt(at) ?? 0) : CharacterClass.gap
}

/** White space and brackets between terms are skipped; brackets neither group nor match. */
function isSkipped(text: string, at: number): boolean {
  const kind = classAt(text, at)
  return kind === CharacterClass.gap || '()[]{}'.includes(text[at] ?? '')
}

/** A single hyphen right before a term excludes it. "--flag" is a term, and a lone hyphen is nothing. */
function isExclusion(text: string, at: number): boolean {
  return text[at] === '-' && text[at + 1] !== '-' && classAt(text, at + 1) !== CharacterClass.gap
}

const QUOTES = new Map([
  ['"', '"'],
  ['“', '”“"'],
  ['”', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['»', '«'],
  ['「', '」'],
  ['『', '』'],
])

/** Returns the index of the quote that closes the one at `at`, or -1. An unclosed quote is punctuation. */
function closingQuote(text: string, at: number): number {
  const closers = QUOTES.get(text[at] ?? '')
  if (closers === undefined) return -1
  const ends = Array.from(closers, closer => text.indexOf(closer, at + 1)).filter(end => end !== -1)
  return ends.length > 0 ? Math.min(...ends) : -1
}

/** A chunk ends at white space or at the start of a quotation. An ASCII quote after a letter or digit (5") starts none. */
function endOfChunk(text: string, from: number): number {
  let at = from
  while (at < text.length && classAt(text, at) !== CharacterClass.gap) {
    if (at > from && QUOTES.has(text[at] ?? '')) {
      const before = classAt(text, at - 1)
      const inWord = text[at] === '"' && (before === CharacterClass.letter || before === CharacterClass.digit)
      if (!inWord && closingQuote(text, at) > at) return at
    }
    at += characterLength(text, at)
  }
  return at
}

/** A term that the ranker scores by. */
interface RankingTerm {
  /** The stem, as `termCounts` names it. */
  term: string
  /** True for a function or question word, which occurs in every text and should weigh little (0.1 to 0.3). */
  functional: boolean
}

interface QueryTerms {
  /** The distinct terms in the order of the query, without exclusions. */
  terms: RankingTerm[]
  /**
   * For each clause its alternatives, each the stems that a text must have. A text that has one alternative of every clause contains every
   * term of the query.
   */
  clauses: string[][][]
  /** Stems of the same words in further languages, by the term that represents them. */
  variants: ReadonlyMap<string, readonly string[]>
}

/**
 * Returns the terms to rank by in hybrid and semantic mode.
 * @param language the language of the query, which decides its function words; English by default
 */
export function queryTerms(query: Query, language?: string): QueryTerms {
  const terms = new Map<string, RankingTerm>()
  const wanted = query.clauses.filter(clause => !clause.excluded)
  for (const { ranked, quoted } of wanted.flatMap(clause => clause.terms)) {
    const isCommon = (term: string) => isFunctionWord(term, language)
    // A quotation of function words alone, such as "The Who", is about them.
    const isName = quoted && ranked.every(isCommon)
    for (const term of ranked) {
      const functional = !isName && isCommon(term)
      const known = terms.get(term)
      if (known === undefined) terms.set(term, { term, functional })
      else known.functional &&= functional
    }
  }
  return {
    terms: [...terms.values()],
    clauses: wanted.map(clause => clause.terms.map(term => term.required)),
    variants: new Map(wanted.flatMap(clause => clause.terms.flatMap(term => [...term.variants]))),
  }
}
