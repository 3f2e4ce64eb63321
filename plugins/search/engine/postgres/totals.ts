import type { Tx } from 'mneme/plugin'
import { type CorpusStatistics, type EngineQuery, TOTAL_MAX } from '../engine.ts'
import type { VectorType } from './embeddings.ts'
import { allTerms, anyTermRows, nearAnyhow, PAIRS_MAX } from './matches.ts'

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
