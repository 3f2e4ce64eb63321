import { createHash } from 'node:crypto'
import { DAY_MS, type Tenant, type Tx, unicodeForm } from 'mneme/plugin'
import type { SearchRequest } from '../../memories/contract.ts'
import type { DateSpan } from '../analysis/date-span.ts'
import type { EvidenceRequest, EvidenceSource, MemoryEvidence } from '../contract.ts'
import type { QueryEmbedder } from '../embedding/query-embedder.ts'
import type { EngineQuery, SearchEngine } from '../engine/engine.ts'
import { withStatistics } from '../engine/with-statistics.ts'
import type { ExpansionServices } from '../expansion/expansion.ts'
import type { FeedbackQuery } from '../feedback/learned.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import type { Signal } from '../ranking/rank.ts'
import { type Connection, readEvidence } from './evidence.ts'
import { embedQuery } from './meaning.ts'
import { planQuery, type QueryPlan } from './plan.ts'

/** The services that a query needs before the transaction of its search. */
export interface PreparationServices {
  readonly engine: SearchEngine
  readonly embedder: QueryEmbedder
  readonly languages: Pick<WorkspaceLanguages, 'ofQuery'>
  /** The evidence sources of other plugins. */
  readonly evidence: () => readonly EvidenceSource[]
  /** The sources of related words. */
  readonly expansion: ExpansionServices
  /** A memory matches by meaning from this cosine on. */
  readonly similarityFloor: number
  /** Signals that every ranking leaves out, to measure the value of each. */
  readonly without: ReadonlySet<Signal>
}

/** A query after analysis and embedding, ready for the engine. */
export interface PreparedQuery {
  readonly plan: QueryPlan
  readonly query: EngineQuery
  readonly learning: FeedbackQuery
  /** The evidence of other plugins, by memory. */
  readonly evidence: ReadonlyMap<string, Connection>
  /** The languages in which the query is analysed, its own first. */
  readonly languages: readonly string[]
  /** Words that a language model suggests in addition to the query's; undefined when local means find them. */
  readonly suggested?: readonly string[] | undefined
}

/**
 * Analyses and embeds a query and asks a remote index for it, which is all the work before the transaction. With a warning comes the cause
 * that the model gave.
 */
export async function prepareQuery(
  services: PreparationServices,
  tenant: Tenant,
  request: Pick<SearchRequest, 'query' | 'mode' | 'filter'> & { readonly expand?: boolean },
): Promise<{ prepared: PreparedQuery; warning?: string; cause?: Error }> {
  const { workspaceId } = tenant
  const languages = await services.languages.ofQuery(tenant, request.query)
  const plan = planQuery(request, languages)
  const hash = queryHash(request.query)
  let known = unknownOf(request, workspaceId, plan)
  const [{ vector, typed, unsupported, after: worded, ...embedded }, suggested] = await Promise.all([
    embedQuery(services, tenant, plan, languages[0], {
      beside: async tx => {
        known = await readKnown(tx, services, request.query, known.query, plan)
      },
      after: tx => services.engine.wordCandidates(tx, known.query),
    }),
    request.expand && plan.meaning ? services.expansion.model.terms(workspaceId, hash, plan.meaning) : undefined,
  ])
  const prepared: PreparedQuery = {
    // Words alone are left to rank by, and semantic mode does not rank by them.
    plan: unsupported ? { ...plan, mode: 'hybrid' } : plan,
    query: {
      ...known.query,
      ...(vector ? { vector: { ...vector, floor: services.similarityFloor } } : {}),
      ...(worded ? { worded } : {}),
    },
    learning: {
      workspaceId,
      query: request.query,
      queryHash: hash,
      ...(typed ? { vector: typed } : {}),
    },
    evidence: known.evidence,
    languages,
    suggested,
  }
  const proposal = await services.engine.propose?.(prepared.query, work => tenant.transaction(work))
  const query = proposal ? { ...prepared.query, proposal } : prepared.query
  return { prepared: { ...prepared, query }, ...embedded }
}

/** The query for the engine without its vector, and what is known about it by then. */
interface KnownByWords {
  readonly query: EngineQuery
  readonly evidence: ReadonlyMap<string, Connection>
}

function unknownOf(
  { filter }: Pick<SearchRequest, 'filter'>,
  workspaceId: string,
  { match, query, terms, variants }: QueryPlan,
): KnownByWords {
  return { query: { workspaceId, match, query, terms, variants, filter }, evidence: new Map() }
}

/** Reads what depends on the words of a query alone, while the model embeds it. */
async function readKnown(
  tx: Tx,
  { engine, evidence: sources, without }: PreparationServices,
  text: string,
  query: EngineQuery,
  { question }: QueryPlan,
): Promise<KnownByWords> {
  const { workspaceId, filter } = query
  const all = [...sources(), ...(without.has('time') ? [] : evidenceOfDates(question.dates))]
  const [asked, evidence] = await Promise.all([
    withStatistics(tx, engine, query),
    readEvidence(tx, all, { workspaceId, query: text, userId: filter.userId }),
  ])
  return { query: asked, evidence }
}

/** Hashes a query to 32 hexadecimal digits, regardless of mode, case, spacing and Unicode form. */
export function queryHash(query: string): string {
  const normal = unicodeForm(query, 'NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
  return createHash('sha256').update(normal).digest('hex').slice(0, 32)
}

/** A longer span, such as a year, tells nothing about any of its memories. */
const SPAN_MAX_MS = 31 * DAY_MS

/** The same holds for a span with more memories than this. */
const MEMORIES_MAX = 60

/** A day with this many memories tells half as much about each as a day with a single one. */
const HALF_RARE = 15

/**
 * Memories of the time that a query names: "What happened on 12 March?" shares no word with them, and no meaning. The fewer there are, the
 * stronger. The time of its event counts for a memory, else that of its creation.
 */
function evidenceOfDates(dates: readonly DateSpan[]): EvidenceSource[] {
  const spans = dates.filter(
    ({ start, end, isDoubtful }) => !isDoubtful && end.getTime() - start.getTime() <= SPAN_MAX_MS,
  )
  return spans.map(span => ({ id: 'search.dates', evidence: (tx, request) => memoriesOf(tx, request, span) }))
}

async function memoriesOf(
  tx: Tx,
  { workspaceId, userId }: EvidenceRequest,
  { start, end }: DateSpan,
): Promise<ReadonlyMap<string, MemoryEvidence>> {
  const rows = await tx<{ memory_id: string }[]>`
    select document.memory_id
    from search.document
    where document.workspace_id = ${workspaceId}
      and coalesce(document.happened_at, document.created_at) >= ${start}
      and coalesce(document.happened_at, document.created_at) < ${end}
      ${userId === undefined ? tx`` : tx`and document.user_id = ${userId}`}
    limit ${MEMORIES_MAX + 1}`
  if (rows.length > MEMORIES_MAX) return new Map()
  const strength = 1 / (1 + (rows.length - 1) / HALF_RARE)
  const names = [start.toISOString().slice(0, 10)]
  return new Map(rows.map(({ memory_id: id }) => [id, { strength, names }]))
}
