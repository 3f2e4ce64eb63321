import { isFunctionWord, unicodeForm, unitVector } from 'mneme/plugin'
import type { SearchMode, SearchRequest } from '../../memories/contract.ts'
import { parseQuery, type Query, queryTerms } from '../analysis/parse-query.ts'
import { type Question, readQuestion } from '../analysis/traits.ts'
import type { QueryEmbedder } from '../embedding/models.ts'
import type { QueryVector } from '../engine/engine.ts'

/** The analysed query and the way it is matched. */
export interface QueryPlan {
  readonly mode: SearchMode
  readonly query: Query
  readonly match: 'all' | 'any'
  /** Stems to match and rank by. */
  readonly terms: readonly string[]
  /** The alternatives of each clause; an alternative lists the stems that a text must contain. */
  readonly clauses: readonly (readonly (readonly string[])[])[]
  /** Stems of the same word in other languages, by term. */
  readonly variants: ReadonlyMap<string, readonly string[]>
  readonly question: Question
  /** The IANA time zone in which the query's times are read. */
  readonly timezone: string | undefined
  /** The text to embed; undefined when meaning is not used. */
  readonly meaning: string | undefined
}

/**
 * @param languages the languages of the workspace's texts in order of preference; English if empty
 * @param now the reference for relative dates such as "last May"
 */
export function planQuery(
  { query: text, mode, timezone: zone }: Pick<SearchRequest, 'query' | 'mode' | 'timezone'>,
  languages: readonly string[] = [],
  now = new Date(),
): QueryPlan {
  const byWords = mode === 'keyword'
  const query = parseQuery(text, { languages, exclusions: byWords })
  const { terms, clauses, variants } = contentTerms(query, languages[0])
  return {
    mode,
    query,
    match: byWords ? 'all' : 'any',
    terms,
    clauses,
    variants,
    question: readQuestion(text, now, { language: languages[0], zone }),
    timezone: zone,
    meaning: byWords ? undefined : text,
  }
}

/** A query in a script without spaces has up to two thousand characters and pairs; of a question in words all are taken. */
const TERMS_MAX = 256

/** Keeps terms from the whole query; of too many the single characters go first, which tell least. */
function bounded(terms: readonly string[]): readonly string[] {
  if (terms.length <= TERMS_MAX) return terms
  const longer = terms.filter(term => Array.from(term).length > 1)
  const telling = longer.length >= TERMS_MAX ? longer : terms
  return Array.from({ length: TERMS_MAX }, (_, i) => telling[Math.floor((i * telling.length) / TERMS_MAX)] ?? '')
}

/** Keeps the terms that are not function words, which occur in every text; keeps all if there are no others. */
function contentTerms(query: Query, language: string | undefined): Pick<QueryPlan, 'terms' | 'clauses' | 'variants'> {
  const { terms, clauses, variants } = queryTerms(query, language)
  const content = terms.filter(({ functional }) => !functional)
  const counted = new Set(bounded((content.length > 0 ? content : terms).map(({ term }) => term)))
  return {
    terms: [...counted],
    clauses: clauses
      .map(alternatives => alternatives.map(stems => stems.filter(stem => counted.has(stem))))
      .filter(alternatives => alternatives.every(stems => stems.length > 0)),
    variants: new Map([...variants].filter(([term, further]) => counted.has(term) && further.length > 0)),
  }
}

type Vector = Omit<QueryVector, 'floor'>

/** Returns the mean of the vectors of a query as typed and as addressed to the speakers that it names. */
export async function addressedVector(
  embedder: QueryEmbedder,
  workspaceId: string,
  { meaning = '', mode }: QueryPlan,
  { typed, speakers, language }: { typed: Vector; speakers: readonly string[]; language: string | undefined },
): Promise<Vector> {
  const put = speakers.length > 0 ? addressed(meaning, speakers, language) : undefined
  const other = put === undefined ? undefined : await embedder.embed(workspaceId, put, mode)
  return other && 'vector' in other ? between(typed, other.vector) : typed
}

/** Returns the normalized mean of two unit vectors; the first one if they are opposite or from different models. */
function between(one: Vector, other: Vector): Vector {
  if (one.model !== other.model) return one
  const values = unitVector(one.values.map((value, at) => value + (other.values[at] ?? 0)))
  return values ? { ...one, values } : one
}

/** A query with more possible names is a list of names, not a question about one person. */
const NAMES_MAX = 16

const WORD = /\p{L}[\p{L}\p{M}\p{Nd}]*/gu

/** Matches a letter that can begin a name: a capital, or a letter of a script without capitals. */
const NAME_BEGINS = /^[\p{Lu}\p{Lt}\p{Lo}]/u

/**
 * Returns the words of a query that may be names, in lower case and without function words: capitalised words, or all words if none is
 * capitalised.
 */
export function possibleNames(query: string, language?: string): string[] {
  const words = unicodeForm(query, 'NFC').match(WORD) ?? []
  const marked = words.filter(word => NAME_BEGINS.test(word))
  const names = new Set((marked.length > 0 ? marked : words).map(word => word.toLowerCase()))
  return [...names].filter(name => name.length > 1 && !isFunctionWord(name, language)).slice(0, NAMES_MAX)
}

/**
 * Rewrites a question about a person as if addressed to them: "When did Ada visit Rome?" becomes "When did you visit Rome?". In a
 * transcript people speak of themselves without their names, and a name at the start of all their lines carries no information. In
 * languages other than English, whose verbs would have to change too, the name is dropped. Undefined when little is left.
 *
 * @param speakers names of people in lower case, as {@link readTraits} returns them
 */
export function addressed(query: string, speakers: readonly string[], language = 'en'): string | undefined {
  const english = language.startsWith('en')
  let text = unicodeForm(query, 'NFC')
  for (const speaker of speakers) {
    const [first = '', ...rest] = speaker.split(' ').map(escaped)
    const whole = rest.length > 0 ? `${first}(?: ${rest.join(' ')})?` : first
    const named = new RegExp(`(?<![\\p{L}\\p{Nd}])${whole}(['’]s?(?!\\p{L}))?(?![\\p{L}\\p{M}\\p{Nd}])`, 'giu')
    text = text.replace(named, (_, possessive) => (english ? (possessive ? 'your' : 'you') : ''))
  }
  const left = text.match(WORD) ?? []
  const tells = left.some(word => !isFunctionWord(word.toLowerCase(), language))
  return tells ? text.replace(/\s+/g, ' ').trim() : undefined
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
