import { isFunctionWord, plainArray, type Tx, textArray } from 'mneme/plugin'
import { analyze } from '../analysis/analyze.ts'
import { parseQuery, queryTerms } from '../analysis/parse-query.ts'
import { COUNTED_WEIGHTS, lexemePrefix, quoteLexeme } from '../analysis/tsvector.ts'
import type { AliasSource } from '../contract.ts'
import type { CorpusStatistics } from '../engine/engine.ts'
import type { ModelTerms } from './model-terms.ts'

/** A query gains at most this many stems. */
const RELATED_MAX = 12
/** Local means add at most this many; further ones are less related to the query. */
const LOCAL_MAX = 6
/** If the best results share fewer words, words that co-occur with the query's rare words fill up. */
const SHARED_ENOUGH = 3
/** One plugin may contribute this many names. */
const ALIASES_MAX = 20
const ALIAS_CHARS_MAX = 60

export interface ExpansionServices {
  readonly model: ModelTerms
  /** The sources of other names. */
  readonly aliases: () => readonly AliasSource[]
}

interface ExpansionRequest {
  readonly workspaceId: string
  readonly query: string
  readonly userId: string | undefined
  /** The stems of the query, and the variants they represent. */
  readonly terms: readonly string[]
  readonly variants: ReadonlyMap<string, readonly string[]>
  readonly languages: readonly string[]
  /** The suggestions of a model, made before the transaction; undefined for local means. */
  readonly suggested: readonly string[] | undefined
  readonly corpus: CorpusStatistics
  /** The memories found without expansion, best first. */
  readonly best: readonly string[]
}

/**
 * Collects stems that widen a query, the most useful first: other names of entities in it, then suggestions of a language model or, without
 * one, words related within the workspace. They add matches and weigh a fraction of a query word.
 */
export async function relatedTerms(
  tx: Tx,
  { aliases }: ExpansionServices,
  request: ExpansionRequest,
): Promise<string[]> {
  const { suggested, terms, variants, languages } = request
  const named = stemsOf(await readAliases(tx, aliases(), request), languages)
  const further = suggested ? stemsOf(suggested, languages) : await byLocalMeans(tx, request)
  const own = new Set([...terms, ...[...variants.values()].flat()])
  return [...new Set([...named, ...further])].filter(stem => !own.has(stem)).slice(0, RELATED_MAX)
}

async function readAliases(
  tx: Tx,
  sources: readonly AliasSource[],
  { workspaceId, query, userId }: ExpansionRequest,
): Promise<string[]> {
  const given = await Promise.all(sources.map(source => source.aliases(tx, { workspaceId, query, userId })))
  return given.flatMap(names => names.filter(name => name.length <= ALIAS_CHARS_MAX).slice(0, ALIASES_MAX))
}

async function byLocalMeans(tx: Tx, request: ExpansionRequest): Promise<string[]> {
  const { shared, company } = await localTerms(tx, request)
  const missing = Math.max(0, SHARED_ENOUGH - shared.length)
  return [...shared.slice(0, LOCAL_MAX), ...company.filter(stem => !shared.includes(stem)).slice(0, missing)]
}

/** Names are analysed like queries, so that they match the same forms. */
function stemsOf(names: readonly string[], languages: readonly string[]): string[] {
  return names.flatMap(name => {
    const { terms, variants } = queryTerms(parseQuery(name, { languages }), languages[0])
    const telling = terms.filter(({ term, functional }) => !functional && /[\p{L}\p{N}]/u.test(term))
    return telling.flatMap(({ term }) => [term, ...(variants.get(term) ?? [])])
  })
}

/** Shared words are taken from this many of the best results. */
const RESULTS_MAX = 5
/** Co-occurring words are taken for this many query terms: the rarest, and none with more documents than are read. */
const TERMS_MAX = 3
const DOCUMENTS_MAX = 80
/** Longer texts cover too many topics to show which words belong together, and take long to read. */
const LENGTH_MAX = 400
/** A word of a single text says more about that text than about the query. */
const TOGETHER_MIN = 2
/** A word in a larger share of the documents carries no information. */
const COMMON_SHARE = 0.1
const COMMON_MIN = 5
/** Chance exceeds this ratio once in a thousand times. */
const RATIO_MIN = 10.83
const ROWS_MAX = 200

interface LocalRequest {
  readonly workspaceId: string
  readonly terms: readonly string[]
  readonly languages: readonly string[]
  readonly corpus: CorpusStatistics
  /** The memories found, best first. */
  readonly best: readonly string[]
}

interface LocalTerms {
  /** Words that the best results share, the most informative first. */
  readonly shared: readonly string[]
  /** Words that co-occur with the query's rare words in the whole workspace, the surest first. */
  readonly company: readonly string[]
}

interface Shared {
  /** 0 for the best results, then the terms from 1. */
  source: number
  lexeme: string
  together: number
  /** The number of texts of the source that were read. */
  size: number
  is_stem: boolean
  documents: number
}

/** Finds words related to a query within the workspace, in one statement. */
async function localTerms(tx: Tx, request: LocalRequest): Promise<LocalTerms> {
  const { terms, corpus, languages } = request
  const rare = rareTerms(request)
  const rows = await readShared(tx, request, rare)
  const telling = rows.filter(
    ({ lexeme, is_stem: isStem }) =>
      !terms.includes(lexeme) && tells(lexeme, languages) && (isStem || isOwnStem(lexeme, languages)),
  )
  const company = new Map<string, number>()
  for (const { source, lexeme, together, size, documents } of telling) {
    if (source === 0) continue
    const ratio = logLikelihoodRatio({ together, first: size, second: documents, documents: corpus.documents })
    if (ratio >= RATIO_MIN) company.set(lexeme, (company.get(lexeme) ?? 0) + ratio)
  }
  const shared = telling
    .filter(({ source }) => source === 0)
    .map(({ lexeme, together, documents }) => [lexeme, sharedWeight(together, documents, corpus.documents)] as const)
  return { shared: heaviest(shared), company: heaviest(company) }
}

function heaviest(weights: Iterable<readonly [string, number]>): string[] {
  return [...weights].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([lexeme]) => lexeme)
}

function rareTerms({ terms, corpus: { documentFrequency } }: LocalRequest): string[] {
  const frequency = (term: string) => documentFrequency.get(term) ?? 0
  return terms
    .filter(term => frequency(term) >= TOGETHER_MIN && frequency(term) <= DOCUMENTS_MAX)
    .sort((a, b) => frequency(a) - frequency(b))
    .slice(0, TERMS_MAX)
}

function tells(lexeme: string, [language]: readonly string[]): boolean {
  return lexeme.length > 2 && !isFunctionWord(lexeme, language) && /\p{L}/u.test(lexeme)
}

/** Documents store words as typed and as stems; only stems can be searched by. */
function isOwnStem(lexeme: string, [language]: readonly string[]): boolean {
  return analyze(lexeme, { language }).tokens.some(
    ({ stem, role }) => stem === lexeme && role !== 'form' && role !== 'alias',
  )
}

async function readShared(
  tx: Tx,
  { workspaceId, best, corpus: { documents } }: LocalRequest,
  rare: readonly string[],
): Promise<Shared[]> {
  const prefix = lexemePrefix(workspaceId)
  return tx<Shared[]>`
    with sample as materialized (
      ${sampled(tx, workspaceId, best, rare)}
    ),
    held as (
      select sample.source, word.lexeme, count(*)::integer as together, bool_or('D' = any(word.weights)) as is_stem
      from sample
      cross join lateral unnest(sample.words) as word
      group by sample.source, word.lexeme
      having count(*) >= ${TOGETHER_MIN} and bool_or(word.weights && ${COUNTED_WEIGHTS.toUpperCase()}::text[])
    ),
    counted as (
      -- Documents of the last seconds are not in the statistics yet.
      select
        held.*,
        (select count(*) from sample where sample.source = held.source)::integer as size,
        greatest(term_stat.documents, held.together) as documents
      from held
      left join search.term_stat on term_stat.workspace_id = ${workspaceId} and term_stat.lexeme = held.lexeme
    )
    select
      counted.source,
      substr(counted.lexeme, ${prefix.length + 1}) as lexeme,
      counted.together,
      counted.size,
      counted.is_stem,
      counted.documents
    from counted
    where counted.documents <= ${Math.max(COMMON_MIN, Math.floor(COMMON_SHARE * documents))}
    order by counted.together::real / counted.documents desc, counted.together desc, counted.lexeme
    limit ${ROWS_MAX}`
}

/** Reads words of the best results (source 0) and of texts that contain each rare term (sources from 1). */
function sampled(tx: Tx, workspaceId: string, best: readonly string[], rare: readonly string[]) {
  const prefix = lexemePrefix(workspaceId)
  const literals = textArray(rare.map(term => quoteLexeme(prefix + term)))
  return tx`
    select 0 as source, d.words
    from search.document as d
    where d.workspace_id = ${workspaceId}
      and d.memory_id = any(${plainArray(best.slice(0, RESULTS_MAX))}::uuid[])
      and d.length <= ${LENGTH_MAX}
    union all
    select term.ordinal::integer, found.words
    from unnest(${literals}::tsquery[]) with ordinality as term (query, ordinal)
    cross join lateral (
      select d.words
      from search.own_document as d
      where d.workspace_id = ${workspaceId}
        and d.words @@ term.query
        and d.length <= ${LENGTH_MAX}
      limit ${DOCUMENTS_MAX}
    ) as found`
}

/** The numbers of documents in which two words occur. */
interface Occurrences {
  /** The documents that contain both. */
  readonly together: number
  readonly first: number
  readonly second: number
  /** The number of all documents. */
  readonly documents: number
}

/**
 * Measures how surely two words occur together more often than by chance: the log-likelihood ratio (Dunning, "Accurate Methods for the
 * Statistics of Surprise and Coincidence", 1993), which is valid for rare words too. 0 when they occur together no more often than by
 * chance; chance exceeds 10.83 once in a thousand.
 */
export function logLikelihoodRatio({ together, first, second, documents }: Occurrences): number {
  if (together * documents <= first * second) return 0
  const onlyFirst = Math.max(0, first - together)
  const onlySecond = Math.max(0, second - together)
  const neither = Math.max(0, documents - together - onlyFirst - onlySecond)
  const cells = entropy(together, onlyFirst, onlySecond, neither)
  return 2 * (cells - entropy(first, documents - first) - entropy(second, documents - second) + entropy(documents))
}

/** The ratio is a sum of terms n ln n (the same paper, section 6). */
function entropy(...counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + (count > 0 ? count * Math.log(count) : 0), 0)
}

/**
 * Weighs a word that `together` of the best results share against its frequency in all documents: the Bose-Einstein weighting of
 * pseudo-relevance feedback (Amati, "Probabilistic Models for Information Retrieval based on Divergence from Randomness", 2003, Bo1), with
 * documents in place of occurrences, so that long texts have no advantage.
 */
export function sharedWeight(together: number, documentFrequency: number, documents: number): number {
  const expected = documentFrequency / Math.max(1, documents)
  return expected > 0 ? together * Math.log2((1 + expected) / expected) + Math.log2(1 + expected) : 0
}
