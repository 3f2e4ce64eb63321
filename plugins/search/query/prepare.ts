import { createHash } from 'node:crypto'
import { fail, type Tenant, type Tx, unicodeForm } from 'mneme/plugin'
import { type SearchRequest, workspaceTimezone } from '../../memories/contract.ts'
import type { EvidenceRequest, EvidenceSource } from '../contract.ts'
import type { QueryEmbedder } from '../embedding/models.ts'
import type { EngineQuery, QueryVector, SearchEngine, WordCandidates } from '../engine/engine.ts'
import { withStatistics } from '../engine/terms.ts'
import type { ExpansionServices } from '../expansion/expansion.ts'
import type { FeedbackQuery } from '../feedback/feedback.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import { addressedVector, planQuery, possibleNames, type QueryPlan } from './plan.ts'
import { evidenceOfDates } from './told-then.ts'

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
  readonly without: ReadonlySet<string>
}

/** A query after analysis and embedding, ready for the engine. */
export interface PreparedQuery {
  /** The query as typed, for which feedback is looked up. */
  readonly learning: FeedbackQuery
  readonly plan: QueryPlan
  readonly query: EngineQuery
  /** The evidence of other plugins, by memory. */
  readonly evidence: ReadonlyMap<string, Connection>
  /** The languages in which the query is analysed, its own first. */
  readonly languages: readonly string[]
  /** Words that a language model suggests in addition to the query's; undefined when local means find them. */
  readonly suggested?: readonly string[] | undefined
}

/** Other plugins connect a memory with a query so strongly; each strength is the highest that one of them gives, from 0 to 1. */
export interface Connection {
  /** The strength of its connection to what the query names. */
  readonly entities: number
  /** The certainty that the memory tells what the query asks. */
  readonly facts: number
  /** It is of a time that the query names. */
  readonly isOfTime?: true
  /** The names of the stronger of the two. */
  readonly names: readonly string[]
}

type Asked = Pick<SearchRequest, 'query' | 'mode' | 'filter' | 'timezone'> & { readonly expand?: boolean }

/**
 * Analyses and embeds a query and asks a remote index for it, which is all the work before the transaction. With a warning comes the cause
 * that the model gave.
 *
 * @throws SERVICE_UNAVAILABLE when a semantic search has no model
 */
export async function prepareQuery(
  services: PreparationServices,
  tenant: Tenant,
  request: Asked,
): Promise<{ prepared: PreparedQuery; warning?: string; cause?: Error }> {
  const { query: text, filter } = request
  const { workspaceId } = tenant
  const languages = await services.languages.ofQuery(tenant, text)
  const timezone = request.timezone ?? workspaceTimezone.of(tenant.workspace)
  const plan = planQuery({ ...request, timezone }, languages)
  const { match, query: parsed, terms, variants, meaning } = plan
  const hash = queryHash(text)
  const bare: EngineQuery = { workspaceId, match, query: parsed, terms, variants, filter }
  const reading = meaning === undefined ? undefined : readByWords(services, tenant, text, bare, plan, languages[0])
  const [known, { vector, typed, unsupported, ...embedded }, suggested] = await Promise.all([
    reading?.known ?? { query: bare, evidence: new Map() },
    embedQuery(services, workspaceId, plan, languages[0], reading),
    request.expand && meaning ? services.expansion.model.terms(workspaceId, hash, meaning) : undefined,
  ])
  const query: EngineQuery = {
    ...known.query,
    ...(vector ? { vector: { ...vector, floor: services.similarityFloor } } : {}),
    ...(vector && reading ? { worded: reading.candidates } : {}),
  }
  const proposal = await services.engine.propose?.(query, work => tenant.transaction(work))
  const prepared: PreparedQuery = {
    learning: { workspaceId, query: text, queryHash: hash, ...(typed ? { vector: typed } : {}) },
    // Without a vector words alone are left to rank by, and semantic mode does not rank by them.
    plan: unsupported ? { ...plan, mode: 'hybrid' } : plan,
    query: proposal ? { ...query, proposal } : query,
    evidence: known.evidence,
    languages,
    suggested,
  }
  return { prepared, ...embedded }
}

/** The vectors of a query, and what was missing for them. */
interface QueryEmbedding {
  /** Memories are compared with this one. */
  readonly vector?: Omit<QueryVector, 'floor'>
  /** Other queries are compared with the vector of the query as typed. */
  readonly typed?: Omit<QueryVector, 'floor'>
  /** The model does not support the script of the query. */
  readonly unsupported?: true
  readonly warning?: string
  /** The reason why the model gave no vector. */
  readonly cause?: Error
}

const UNSUPPORTED = 'The embedding model does not support the script of this query: these results match by words only.'
const NO_MEANING = 'The embedding model is not available at the moment: these results match by words only.'

async function embedQuery(
  { embedder }: Pick<PreparationServices, 'embedder'>,
  workspaceId: string,
  plan: QueryPlan,
  language: string | undefined,
  reading: Reading | undefined,
): Promise<QueryEmbedding> {
  const { meaning, mode } = plan
  if (meaning === undefined) return {}
  const embedded = await embedder.embed(workspaceId, meaning, mode)
  if ('vector' in embedded) {
    const { speakers = [] } = (await reading?.known) ?? {}
    const typed = embedded.vector
    return {
      ...embedded,
      typed,
      vector: await addressedVector(embedder, workspaceId, plan, { typed, speakers, language }),
    }
  }
  if ('unknown' in embedded) return mode === 'semantic' ? { unsupported: true, warning: UNSUPPORTED } : {}
  if (mode !== 'semantic') return { warning: NO_MEANING, cause: embedded.cause }
  throw fail('SERVICE_UNAVAILABLE', {
    message: 'The embedding model is not available at the moment; retry shortly, or search by keyword.',
    retryAfterSeconds: embedded.retryAfterSeconds,
    cause: embedded.cause,
  })
}

/** The query with the statistics of its words, the evidence of other plugins for it, and the speakers of texts that it names. */
interface KnownByWords {
  readonly query: EngineQuery
  readonly evidence: ReadonlyMap<string, Connection>
  readonly speakers?: readonly string[]
}

interface Reading {
  readonly known: Promise<KnownByWords>
  readonly candidates: Promise<WordCandidates | undefined>
}

/**
 * Reads what depends on the words of a query alone, while the model embeds it. In the same transaction the candidates by words follow, for which
 * the next step need not wait: whoever waits for them within another transaction waits for one that has its connection already.
 */
function readByWords(
  { engine, evidence, without }: PreparationServices,
  tenant: Tenant,
  text: string,
  bare: EngineQuery,
  { question, timezone }: QueryPlan,
  language: string | undefined,
): Reading {
  const sources = [...evidence(), ...(without.has('time') ? [] : evidenceOfDates(question.dates, new Date()))]
  const request = { workspaceId: bare.workspaceId, query: text, userId: bare.filter.userId, timezone }
  const { promise: known, resolve, reject } = Promise.withResolvers<KnownByWords>()
  const candidates = tenant.transaction(async tx => {
    const [query, found, speakers] = await Promise.all([
      withStatistics(tx, engine, bare),
      readEvidence(tx, sources, request),
      engine.speakers(tx, bare.workspaceId, possibleNames(text, language)),
    ])
    resolve({ query, evidence: found, speakers })
    return engine.wordCandidates(tx, query)
  })
  // A search that does not need the candidates hears nothing of their failure.
  candidates.catch(reject)
  return { known, candidates }
}

const UNCONNECTED: Connection = { entities: 0, facts: 0, names: [] }

/** Reads the evidence of other plugins for a query, by memory. */
export async function readEvidence(
  tx: Tx,
  sources: readonly EvidenceSource[],
  request: EvidenceRequest,
): Promise<ReadonlyMap<string, Connection>> {
  const all = await Promise.all(sources.map(source => source.evidence(tx, request)))
  const strongest = new Map<string, Connection>()
  for (const [memoryId, { strength, names, answers, isOfTime }] of all.flatMap(found => [...found])) {
    const known = strongest.get(memoryId) ?? UNCONNECTED
    const kind = answers ? 'facts' : 'entities'
    strongest.set(memoryId, {
      ...known,
      [kind]: Math.max(known[kind], strength),
      ...(isOfTime ? { isOfTime } : {}),
      names: strength > Math.max(known.entities, known.facts) ? names : known.names,
    })
  }
  return strongest
}

/** Hashes a query to 32 hexadecimal digits, regardless of mode, case, spacing and Unicode form. */
export function queryHash(query: string): string {
  const normal = unicodeForm(query, 'NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
  return createHash('sha256').update(normal).digest('hex').slice(0, 32)
}
