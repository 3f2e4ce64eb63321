import { fail, isFunctionWord, type Tenant, type Tx, unicodeForm, unitVector } from 'mneme/plugin'
import type { QueryEmbedder } from '../embedding/query-embedder.ts'
import type { QueryVector, SearchEngine } from '../engine/engine.ts'
import type { Signal } from '../ranking/rank.ts'
import type { QueryPlan } from './plan.ts'

type Vector = Omit<QueryVector, 'floor'>

/** The reads of a search in the transaction that looks for speakers. */
export interface Reading<T> {
  /** It is waited for along with the model. */
  beside(tx: Tx): Promise<void>
  /** It goes on beside what follows. */
  after(tx: Tx): Promise<T>
}

export interface MeaningServices {
  readonly embedder: QueryEmbedder
  readonly engine: Pick<SearchEngine, 'speakers'>
  /** Without the signal "speaker" no speakers are looked up. */
  readonly without: ReadonlySet<Signal>
}

/** The embedding of a query, and what was missing for it. */
export interface QueryEmbedding {
  /** The vector that memories are compared with. */
  readonly vector?: Vector
  /** The vector of the query as typed, for comparison with other queries. */
  readonly typed?: Vector
  /** The model does not support the script of the query. */
  readonly unsupported?: true
  readonly warning?: string
  /** The reason why the model gave no vector. */
  readonly cause?: Error
}

const UNSUPPORTED = 'The embedding model does not support the script of this query: these results match by words only.'
const NO_MEANING = 'The embedding model is not available at the moment: these results match by words only.'

/**
 * Embeds a query. If it names speakers of the workspace's texts, its vector is the mean of the query as typed and as addressed to them.
 *
 * @param language the language of the query
 * @param reading reads more in the transaction that looks for the speakers: while the model works, and then beside the rest of the search
 * @throws SERVICE_UNAVAILABLE when a semantic search has no model
 */
export async function embedQuery<T>(
  { embedder, engine, without }: MeaningServices,
  tenant: Tenant,
  { meaning, mode }: QueryPlan,
  language: string | undefined,
  reading: Reading<T>,
): Promise<QueryEmbedding & { readonly after?: Promise<T> }> {
  if (meaning === undefined) return {}
  const names = without.has('speaker') ? [] : possibleNames(meaning, language)
  const { first, after } = inTwoParts(
    tenant,
    tx => Promise.all([engine.speakers(tx, tenant.workspaceId, names), reading.beside(tx)]),
    reading.after,
  )
  const [embedded, [speakers]] = await Promise.all([embedder.embed(tenant.workspaceId, meaning, mode), first])
  if ('vector' in embedded) {
    const put = speakers.length > 0 ? addressed(meaning, speakers, language) : undefined
    const other = put === undefined ? undefined : await embedder.embed(tenant.workspaceId, put, mode)
    const vector = other && 'vector' in other ? between(embedded.vector, other.vector) : embedded.vector
    return { ...embedded, vector, typed: embedded.vector, after }
  }
  if ('unknown' in embedded) return mode === 'semantic' ? { unsupported: true, warning: UNSUPPORTED } : {}
  if (mode === 'semantic') {
    throw fail('SERVICE_UNAVAILABLE', {
      message: 'The embedding model is not available at the moment; retry shortly, or search by keyword.',
      retryAfterSeconds: embedded.retryAfterSeconds,
      cause: embedded.cause,
    })
  }
  return { warning: NO_MEANING, cause: embedded.cause }
}

/**
 * Runs a transaction of which the first part is waited for and the other goes on. Whoever waits for that within another transaction waits
 * for one that has its connection already.
 */
function inTwoParts<A, B>(
  tenant: Tenant,
  part: (tx: Tx) => Promise<A>,
  rest: (tx: Tx) => Promise<B>,
): { readonly first: Promise<A>; readonly after: Promise<B> } {
  const { promise: first, resolve, reject } = Promise.withResolvers<A>()
  const after = tenant.transaction(async tx => {
    resolve(await part(tx))
    return rest(tx)
  })
  // A search that does not need the rest hears nothing of its failure.
  after.catch(reject)
  return { first, after }
}

/** Returns the normalized mean of two unit vectors; the first one if they are opposite or from different models. */
function between(one: Vector, other: Vector): Vector {
  if (one.model !== other.model) return one
  const values = unitVector(one.values.map((value, at) => value + (other.values[at] ?? 0)))
  return values ? { model: one.model, values } : one
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
