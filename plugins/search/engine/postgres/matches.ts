import type { Tx } from '../../../../core/db/database.ts'
import { toConditionTsquery, toKeywordTsquery } from '../../analysis/tsquery.ts'
import { quoteLexeme } from '../../analysis/tsvector.ts'
import { inverseDocumentFrequency } from '../../ranking/bm25.ts'
import { RELATED_SHARE } from '../../ranking/rank.ts'
import { type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import { type VectorType, vectorParameter } from './embeddings.ts'
import { columnConditions, documentConditions, needsDocument } from './filters.ts'
import { plainArray, textArray } from './literals.ts'
import { lexemePrefix } from './prefix.ts'

/** The parts of a statement that say what matches; each is the body of a common table expression. */

/** Rows of terms that are looked at for candidates. Terms come rarest first, so what is left out weighs least. */
export const PAIRS_MAX = 4000
/** Without a filter, enough rows are in sight when the terms chosen occur in this many documents together. */
const ROWS_ENOUGH = 2000
/** Matches of a keyword search that are weighed for the head. */
const KEYWORD_ROWS_MAX = 5000

/** `(memory_id, cosine)` of what is near enough to the query. */
export function nearRows(tx: Tx, type: VectorType, query: EngineQuery) {
  const { workspaceId, vector, filter } = query
  if (!vector) return tx`select null::uuid as memory_id, null::double precision as cosine where false`
  const condition = toConditionTsquery(query.query, lexemePrefix(workspaceId))
  // The offset keeps the planner from computing each distance twice, once to compare it and once to show it.
  return tx`
    select scanned.memory_id, -scanned.distance as cosine
    from (
      select d.memory_id, d.embedding <#> ${vectorParameter(tx, type, vector.values)} as distance
      from search.embedding as d
      where d.workspace_id = ${workspaceId}
        and d.model = ${vector.model}
        and ${columnConditions(tx, workspaceId, filter)}
        ${condition === null && !needsDocument(filter) ? tx`` : tx`and d.memory_id in (${documentsPassing(tx, query, condition)})`}
      offset 0
    ) as scanned
    where scanned.distance <= ${-vector.floor}`
}

function documentsPassing(tx: Tx, { workspaceId, filter }: EngineQuery, condition: string | null) {
  return tx`
    select d.memory_id
    from search.own_document as d
    where ${documentConditions(tx, workspaceId, filter)}
      ${condition === null ? tx`` : tx`and d.words @@ ${condition}::tsquery`}`
}

/** `(memory_id, weight)`, one row a term of a document, rarest terms first, at most `limit`. */
export function termRows(tx: Tx, query: EngineQuery, corpus: CorpusStatistics, limit: number) {
  const { workspaceId, filter } = query
  const prefix = lexemePrefix(workspaceId)
  const terms = chosenTerms(query, corpus, limit)
  const condition = toConditionTsquery(query.query, prefix)
  const literals = terms.map(({ term }) => quoteLexeme(prefix + term))
  return tx`
    select found.memory_id, term.weight
    from unnest(
      ${textArray(literals)}::tsquery[],
      ${plainArray(terms.map(({ weight }) => weight.toPrecision(6)))}::real[]
    ) with ordinality as term (query, weight, ordinal)
    cross join lateral (
      select d.memory_id
      from search.own_document as d
      where d.words @@ term.query
        and ${documentConditions(tx, workspaceId, filter)}
        ${condition === null ? tx`` : tx`and d.words @@ ${condition}::tsquery`}
    ) as found
    limit ${limit}`
}

/** `(memory_id, weight)` of what holds the whole query, or undefined when the query has nothing to look for. */
export function keywordRows(tx: Tx, { workspaceId, query, filter }: EngineQuery) {
  const tsquery = toKeywordTsquery(query, lexemePrefix(workspaceId))
  if (tsquery === null) return undefined
  // ts_rank only orders what is cut off: more occurrences nearer together in a shorter text come first.
  return tx`
    select d.memory_id, ts_rank('{0.7,0.7,0.7,1}', d.words, ${tsquery}::tsquery, 1) as weight, d.created_at
    from search.own_document as d
    where d.words @@ ${tsquery}::tsquery
      and ${documentConditions(tx, workspaceId, filter)}
    limit ${KEYWORD_ROWS_MAX}`
}

interface ChosenTerm {
  readonly term: string
  readonly weight: number
}

/**
 * Terms by ascending document frequency, those of the query itself first. Behind a filter nobody knows how many rows a term has left, so all are taken and the
 * limit decides; without one, common terms are left out once what is in sight covers every page that can be asked for.
 */
function chosenTerms(given: EngineQuery, corpus: CorpusStatistics, limit: number): ChosenTerm[] {
  const { terms, related = [], filter, query } = given
  const frequency = (term: string) => corpus.documentFrequency.get(term) ?? 0
  const ascending = (a: string, b: string) => frequency(a) - frequency(b)
  const rarestFirst = [...[...terms].sort(ascending), ...[...related].sort(ascending)]
  const narrowed = Object.keys(filter).length > 0 || query.clauses.some(clause => clause.excluded) || limit > PAIRS_MAX
  const chosen: ChosenTerm[] = []
  let rows = 0
  for (const term of rarestFirst) {
    const before = chosen.at(-1)
    if (!narrowed && rows >= ROWS_ENOUGH && before && frequency(before.term) >= TOTAL_MAX) break
    const share = terms.includes(term) ? 1 : RELATED_SHARE
    chosen.push({ term, weight: share * inverseDocumentFrequency(frequency(term), corpus.documents) })
    rows += frequency(term)
  }
  return chosen
}
