import { plainArray, type Tx, textArray } from 'mneme/plugin'
import { metadataCondition } from '../../../memories/contract.ts'
import {
  lexemePrefix,
  quoteLexeme,
  toAnyTsquery,
  toExcludedTsquery,
  toKeywordTsquery,
} from '../../analysis/tsvector.ts'
import { type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import { inverseDocumentFrequency, RELATED_SHARE } from '../terms.ts'
import { type VectorType, vectorParameter } from './embeddings.ts'
import { columnConditions, documentConditions, needsDocument, statedAt } from './filters.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'

/** These functions build the matching parts of a statement; each returns the body of a common table expression. */

/** Each list, by words and by meaning, contributes this many candidates. */
export const LIST_MAX = 100
/** This many term rows are examined for candidates. The rarest terms come first, so the omitted rows weigh least. */
export const PAIRS_MAX = 1000
/** Without a filter the common terms are omitted once the rarer ones together occur in this many documents. */
const ROWS_ENOUGH = 600
/**
 * The index lists old rows first, so the newest are taken from this many. To order 10,000 took 7 ms, and a phrase reads each text.
 */
const ROWS_READ_MAX = 20_000
/** A keyword search weighs this many matches, the newest ones. */
const KEYWORD_ROWS_MAX = 5000

/**
 * Selects `(memory_id, cosine)` of memories near enough to the query, the nearest first. No response counts or shows more than {@link
 * TOTAL_MAX}, and keeping the best of many is cheaper than keeping them all.
 */
export function nearRows(tx: Tx, type: VectorType, query: EngineQuery) {
  const { workspaceId, vector, filter } = query
  if (!vector) return tx`select null::uuid as memory_id, null::double precision as cosine where false`
  const byMetadata = needsDocument(filter)
  // The offset keeps the planner from computing each distance twice, for the comparison and for the output.
  const scanned = tx`
    select scanned.memory_id, -scanned.distance as cosine
    from (
      select d.memory_id, d.embedding <#> ${vectorParameter(tx, type, vector.values)} as distance
      from search.embedding as d
      where d.workspace_id = ${workspaceId}
        and d.model = ${vector.model}
        and ${columnConditions(tx, workspaceId, filter)}
      offset 0
    ) as scanned
    where scanned.distance <= ${-vector.floor}
    order by scanned.distance, scanned.memory_id`
  if (!byMetadata) return tx`${scanned} limit ${TOTAL_MAX}`
  // Documents are read from the nearest on, and no further than the limit; a condition in the scan would read all of them.
  return tx`
    select near.memory_id, near.cosine
    from (${scanned} offset 0) as near
    where (
      select ${metadataCondition(tx, tx`d.metadata`, filter.metadata)}
      from search.document as d
      where d.workspace_id = ${workspaceId}
        and d.memory_id = near.memory_id
    )
    limit ${TOTAL_MAX}`
}

/** Selects `(memory_id)` of any memories near enough, at most `limit`; the scan ends with the last needed row. */
function nearAnyhow(tx: Tx, type: VectorType, query: EngineQuery, limit: number) {
  const { workspaceId, vector, filter } = query
  if (!vector) return tx`select null::uuid as memory_id where false`
  return tx`
    select d.memory_id
    from search.embedding as d
    where d.workspace_id = ${workspaceId}
      and d.model = ${vector.model}
      and ${columnConditions(tx, workspaceId, filter)}
      ${needsDocument(filter) ? tx`and d.memory_id in (${documentsPassing(tx, query)})` : tx``}
      and d.embedding <#> ${vectorParameter(tx, type, vector.values)} <= ${-vector.floor}
    limit ${limit}`
}

function documentsPassing(tx: Tx, { workspaceId, filter }: EngineQuery) {
  return tx`
    select d.memory_id
    from search.document as d
    where d.workspace_id = ${workspaceId}
      and ${documentConditions(tx, workspaceId, filter)}`
}

/**
 * Selects `(memory_id, weight)`, one row per term of a document, at most `limit`. Of a term with more documents the newest count: ids
 * ascend with time.
 */
export function termRows(tx: Tx, query: EngineQuery, terms: readonly WeighedTerm[], limit: number) {
  const prefix = lexemePrefix(query.workspaceId)
  const literals = terms.map(({ term }) => quoteLexeme(prefix + term))
  return tx`
    select found.memory_id, term.weight
    from unnest(
      ${textArray(literals)}::tsquery[],
      ${plainArray(terms.map(({ weight }) => weight.toPrecision(6)))}::real[]
    ) with ordinality as term (query, weight, ordinal)
    cross join lateral (
      select listed.memory_id
      from (
        select d.memory_id
        from search.own_document as d
        where d.workspace_id = ${query.workspaceId}
          and d.words @@ term.query
          and ${documentConditions(tx, query.workspaceId, query.filter)}
        limit ${Math.max(limit, ROWS_READ_MAX)}
      ) as listed
      order by listed.memory_id desc
      limit ${limit}
    ) as found
    limit ${limit}`
}

/** Builds the tables `pair`, of {@link termRows}, and `worded`, of the same by document, for a `with`. */
export function wordTables(tx: Tx, query: EngineQuery, terms: readonly WeighedTerm[]) {
  return tx`
    pair as materialized (${termRows(tx, query, terms, PAIRS_MAX)}),
    worded as materialized (
      select pair.memory_id, sum(pair.weight) as weight
      from pair
      group by pair.memory_id
    )`
}

/** Selects `(memory_id)` of documents that contain any of the query's terms, at most `limit`. */
function anyTermRows(tx: Tx, query: EngineQuery, limit: number) {
  const tsquery = toAnyTsquery(allTerms(query), lexemePrefix(query.workspaceId)) ?? ''
  return tx`
    select d.memory_id
    from search.own_document as d
    where d.workspace_id = ${query.workspaceId}
      and d.words @@ ${tsquery}::tsquery
      and ${documentConditions(tx, query.workspaceId, query.filter)}
    limit ${limit}`
}

/** Selects `(memory_id, weight, stated_at)` of documents that contain the whole query; undefined when it has nothing to search for. */
export function keywordRows(tx: Tx, asked: EngineQuery) {
  const { workspaceId, query, filter } = asked
  const tsquery = toKeywordTsquery(query, lexemePrefix(workspaceId))
  if (tsquery === null) return undefined
  const unwanted = toExcludedTsquery(query, lexemePrefix(workspaceId))
  if (unwanted !== null) return rowsWithout(tx, asked, unwanted)
  // ts_rank only decides which matches are cut off: more occurrences in a shorter text come first. Of terms that are joined by "and" it
  // would compare all places of all pairs, for a second and more where a text repeats a hundred of them.
  const any = toAnyTsquery(allTerms(asked), lexemePrefix(workspaceId)) ?? ''
  return tx`
    select newest.memory_id, ts_rank('{0.7,0.7,0.7,1}', newest.words, ${any}::tsquery, 1) as weight, newest.stated_at
    from (
      select listed.*
      from (
        select d.memory_id, d.words, ${statedAt(tx)} as stated_at
        from search.own_document as d
        where d.workspace_id = ${workspaceId}
          and d.words @@ ${tsquery}::tsquery
          and ${documentConditions(tx, workspaceId, filter)}
        limit ${ROWS_READ_MAX}
      ) as listed
      order by listed.memory_id desc
      limit ${KEYWORD_ROWS_MAX}
    ) as newest`
}

/** Selects the rows of {@link keywordRows} for exclusions alone: the newest documents, except those that the index of words lists. */
function rowsWithout(tx: Tx, { workspaceId, filter }: EngineQuery, unwanted: string) {
  return tx`
    select d.memory_id, 0::real as weight, ${statedAt(tx)} as stated_at
    from search.document as d
    where d.workspace_id = ${workspaceId}
      and ${documentConditions(tx, workspaceId, filter)}
      and d.memory_id not in (
        select listed.memory_id
        from search.own_document as listed
        where listed.workspace_id = ${workspaceId}
          and listed.words @@ ${unwanted}::tsquery
      )
    order by d.memory_id desc
    limit ${KEYWORD_ROWS_MAX}`
}

export interface WeighedTerm {
  readonly term: string
  readonly weight: number
}

/** Orders the query's terms by ascending document frequency, then those that expansion added. */
export function weighTerms(query: EngineQuery, { documents, documentFrequency }: CorpusStatistics): WeighedTerm[] {
  const frequency = (term: string) => documentFrequency.get(term) ?? 0
  const weigh = (terms: readonly string[], share: number) =>
    [...terms]
      .sort((a, b) => frequency(a) - frequency(b))
      .map(term => ({ term, weight: share * inverseDocumentFrequency(frequency(term), documents) }))
  return [...weigh(query.terms, 1), ...weigh(query.related ?? [], RELATED_SHARE)]
}

/**
 * Selects the terms that retrieve candidates. Behind a filter the remaining rows of a term are unknown, so all terms are used and the row
 * limit decides.
 */
export function selectiveTerms(
  { filter }: EngineQuery,
  { documentFrequency }: CorpusStatistics,
  terms: readonly WeighedTerm[],
): readonly WeighedTerm[] {
  if (Object.keys(filter).length > 0) return terms
  let rows = 0
  return terms.filter(({ term }) => {
    const enough = rows >= ROWS_ENOUGH
    rows += documentFrequency.get(term) ?? 0
    return !enough
  })
}

export function allTerms({ terms, related = [] }: EngineQuery): string[] {
  return [...terms, ...related]
}

/**
 * These functions count the matches up to {@link TOTAL_MAX}, as a query over the tables `near`, `pair` and `worded` of the candidate
 * statement. A case evaluates a branch only when it is reached, so the cheap ones come first.
 */

/** @param cut whether terms were omitted, so that `worded` is incomplete */
export function totalBesideScan(tx: Tx, query: EngineQuery, cut: boolean) {
  return tx`
    select case
      when (select count(*) from near) >= ${TOTAL_MAX} then ${TOTAL_MAX}
      when ${cut} or (select count(*) from pair) = ${PAIRS_MAX} then (${unionOf(
        tx,
        tx`
        select near.memory_id from near
        union
        ${parenthesized(tx, anyTermRows(tx, query, TOTAL_MAX))}`,
      )})
      else (${unionOf(tx, tx`select near.memory_id from near union select worded.memory_id from worded`)})
    end`
}

/**
 * Counts beside an HNSW index, for which `near` has the nearest only. One common word usually reaches a thousand, or all words together;
 * otherwise vectors are scanned.
 */
export function totalBesideIndex(tx: Tx, type: VectorType, query: EngineQuery, corpus: CorpusStatistics) {
  return tx`
    select case
      when (select count(*) from worded) >= ${TOTAL_MAX} then ${TOTAL_MAX}
      when ${commonestProvesTotal(tx, query, corpus)} then ${TOTAL_MAX}
      else (
        with matching_word as materialized (${anyTermRows(tx, query, TOTAL_MAX)})
        select case
          when (select count(*) from matching_word) >= ${TOTAL_MAX} then ${TOTAL_MAX}
          else (${unionOf(
            tx,
            tx`
            ${parenthesized(tx, nearAnyhow(tx, type, query, TOTAL_MAX))}
            union
            select matching_word.memory_id from matching_word`,
          )})
        end
      )
    end`
}

/** Tells whether words alone match {@link TOTAL_MAX} documents. */
export function wordsProveTotal(tx: Tx, query: EngineQuery, corpus: CorpusStatistics) {
  return tx`
    select case
      when (select count(*) from worded) >= ${TOTAL_MAX} then true
      when ${commonestProvesTotal(tx, query, corpus)} then true
      else (${reachesTotal(tx, query)})
    end`
}

/** Tells whether the commonest word alone matches as many, which costs the least. */
function commonestProvesTotal(tx: Tx, query: EngineQuery, corpus: CorpusStatistics) {
  const frequency = (term: string) => corpus.documentFrequency.get(term) ?? 0
  const [commonest] = allTerms(query).sort((a, b) => frequency(b) - frequency(a))
  if (commonest === undefined || frequency(commonest) < TOTAL_MAX) return tx`false`
  return tx`(${reachesTotal(tx, { ...query, terms: [commonest], related: [] })})`
}

function reachesTotal(tx: Tx, query: EngineQuery) {
  return tx`select count(*) >= ${TOTAL_MAX} from (${anyTermRows(tx, query, TOTAL_MAX)}) as found`
}

function unionOf(tx: Tx, ids: ReturnType<typeof parenthesized>) {
  return tx`select least(count(*), ${TOTAL_MAX}) from (${ids}) as matching`
}

/** Parenthesizes a query with its own limit within a union. */
function parenthesized(tx: Tx, rows: ReturnType<typeof anyTermRows>) {
  return tx`(${rows})`
}

/** Counts the matches of a query by words or by meaning, up to {@link TOTAL_MAX}. */
export async function countMatches(tx: Tx, type: VectorType, query: EngineQuery): Promise<number> {
  const statement = tx<{ total: number }[]>`
    select least(count(*), ${TOTAL_MAX}) as total
    from (
      (${nearAnyhow(tx, type, query, TOTAL_MAX)})
      union
      (${anyTermRows(tx, query, TOTAL_MAX)})
    ) as matching`
  const [counted] = await underSettings(tx, GENERIC_PLAN, statement)
  return counted?.total ?? 0
}
