import { STEMMED_LANGUAGES, type Tx, textArray, UNDETERMINED } from 'mneme/plugin'
import { lexemePrefix, quoteLexeme } from '../../analysis/tsvector.ts'
import type { CorpusStatistics, EngineQuery } from '../engine.ts'
import { pendingDeltas } from './fold.ts'
import { allTerms } from './matches.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'

interface StatisticsRow {
  /** Null in the row about the corpus. */
  lexeme: string | null
  documents: number
  total_length: number
  has_passages: boolean
}

/** Returns the statistics that were given along with a query, or reads them. */
export async function statisticsOf(tx: Tx, query: EngineQuery): Promise<CorpusStatistics> {
  const { workspaceId, statistics } = query
  const terms = allTerms(query)
  if (statistics && terms.every(term => statistics.documentFrequency.has(term))) return statistics
  return readStatistics(tx, workspaceId, terms)
}

/** Reads the document frequencies of the given stems, both folded and pending. */
async function readStatistics(tx: Tx, workspaceId: string, terms: readonly string[]): Promise<CorpusStatistics> {
  const prefix = lexemePrefix(workspaceId)
  const lexemes = terms.map(term => prefix + term)
  const statement = tx<StatisticsRow[]>`
    with pending as materialized (
      ${pendingDeltas(tx, workspaceId)}
    )
    select
      term.lexeme,
      coalesce(term_stat.documents, 0)
        + coalesce((select sum(pending.sign) from pending where pending.words @@ term.query), 0) as documents,
      0::bigint as total_length,
      false as has_passages
    from unnest(${textArray(lexemes)}::text[], ${textArray(lexemes.map(quoteLexeme))}::tsquery[]) as term (lexeme, query)
    left join search.term_stat on term_stat.workspace_id = ${workspaceId} and term_stat.lexeme = term.lexeme
    union all
    select
      null,
      coalesce(sum(corpus.documents), 0)::bigint,
      coalesce(sum(corpus.total_length), 0)::bigint,
      -- In this order only the primary key serves; a plain "exists" may read the whole table when the workspace has no passages.
      (
        select passage.memory_id
        from search.passage
        where passage.workspace_id = ${workspaceId}
        order by passage.workspace_id, passage.memory_id
        limit 1
      ) is not null
    from (
      select corpus_stat.documents, corpus_stat.total_length
      from search.corpus_stat
      where corpus_stat.workspace_id = ${workspaceId}
      union all
      select sum(pending.sign), sum(pending.sign * pending.length)
      from pending
    ) as corpus`
  return toStatistics(await underSettings(tx, GENERIC_PLAN, statement), prefix.length)
}

function toStatistics(rows: readonly StatisticsRow[], prefixLength: number): CorpusStatistics {
  const corpus = rows.find(row => row.lexeme === null)
  const documentFrequency = new Map<string, number>()
  for (const { lexeme, documents } of rows) {
    if (lexeme !== null) documentFrequency.set(lexeme.slice(prefixLength), Math.max(0, documents))
  }
  // Deltas that are not visible yet can leave the sum below a term's own count.
  const documents = Math.max(0, corpus?.documents ?? 0, ...documentFrequency.values())
  const averageLength = documents > 0 ? Math.max(0, corpus?.total_length ?? 0) / documents : 0
  return { documents, averageLength, documentFrequency, hasPassages: corpus?.has_passages ?? false }
}

/** Languages are counted like words, under names that no word can have: "‡" is punctuation that no lexeme contains. */
export function languageTerm(language: string): string {
  return `‡${language}`
}

/** Counts the documents of each language, including writes of the current second. */
export async function readLanguages(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const languages = [...STEMMED_LANGUAGES, UNDETERMINED]
  const { documentFrequency } = await readStatistics(tx, workspaceId, languages.map(languageTerm))
  return new Map(
    languages
      .map(language => [language, documentFrequency.get(languageTerm(language)) ?? 0] as const)
      .filter(([, documents]) => documents > 0),
  )
}
