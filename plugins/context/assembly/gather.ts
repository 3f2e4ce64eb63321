import type { Tenant, Wiring } from 'mneme/plugin'
import { namedFacts } from '../../graph/contract.ts'
import {
  type FoundMemory,
  type MemoryHolding,
  type MemoryRecord,
  memoryProfiles,
  memoryReader,
  memorySearch,
  type SearchResponse,
  statedAt,
} from '../../memories/contract.ts'
import type { ContextInput } from '../schemas.ts'
import type { Known, KnownMemory } from './compose.ts'
import { piecesOf } from './pieces.ts'

/** More would rarely fit, and are hardly about the query. */
const MEMORIES_MAX = 40
const FACTS_MAX = 20

export interface Gathered extends Known {
  readonly search: Pick<SearchResponse, 'query_hash' | 'warning'>
}

/** Reads what is known about a query; what comes of plugins that are away, or not in the plan, is left out. */
export async function gather(wiring: Wiring, tenant: Tenant, input: ContextInput): Promise<Gathered> {
  const { user_id: userId } = input
  const query = questionOf(input.query)
  const search = await wiring.use(memorySearch).search(tenant, {
    query,
    mode: 'hybrid',
    expand: false,
    filter: filterOf(input),
    minScore: input.min_score,
    timezone: input.timezone,
    page: 1,
    pageSize: MEMORIES_MAX,
  })
  const profile = userId === undefined ? undefined : await wiring.find(memoryProfiles)?.profile(tenant, userId)
  const facts = await wiring.find(namedFacts)?.about(tenant, { text: query, userId, limit: FACTS_MAX })
  const memories = await readMemories(wiring, tenant, input, search.data)
  return { query, profile: profile?.summary ?? '', facts: facts ?? [], memories, search }
}

function filterOf({ user_id: userId, agent_id: agentId, session_id: sessionId, categories }: ContextInput) {
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(categories === undefined ? {} : { categories: categories.map(category => category.trim()) }),
  }
}

/** So many memories bring along the later ones about the same thing that the search has not found. */
const FOLLOWED_MAX = 10

/**
 * Reads memories in the order of their scores, with what the search leaves out: when they were said, and the later ones about the same thing that it has
 * not found, as far as these pass its filter.
 */
async function readMemories(
  wiring: Wiring,
  tenant: Tenant,
  input: ContextInput,
  found: readonly FoundMemory[],
): Promise<KnownMemory[]> {
  const reader = wiring.use(memoryReader)
  const ids = new Set(found.map(({ id }) => id))
  const further = new Set(found.slice(0, FOLLOWED_MAX).flatMap(({ newer }) => newer.filter(id => !ids.has(id))))
  const { records, holdings } = await tenant.transaction(async tx => {
    const records = await reader.records(tx, [...ids, ...further])
    const later = records.filter(record => further.has(record.id) && passes(record, input))
    return {
      records: [...records.filter(({ id }) => ids.has(id)), ...later],
      holdings: await reader.holdings(tx, later),
    }
  })
  const byId = new Map(records.map(record => [record.id, record]))
  return found.flatMap(({ id, score, relevance, ended_at: endedAt, superseded_by: supersededBy, newer }) => {
    const record = byId.get(id)
    if (!record) return []
    const isLow = relevance === 'LOW'
    const later = newer
      .flatMap(other => (further.has(other) ? (byId.get(other) ?? []) : []))
      .map(other => knownMemory(other, score, isLow, holdings.get(other.id)))
    const holding = { endedAt: endedAt === null ? null : new Date(endedAt), supersededBy, newer }
    return [{ ...knownMemory(record, score, isLow, holding), later }]
  })
}

function knownMemory(
  record: MemoryRecord,
  score: number,
  isLow: boolean,
  { endedAt, supersededBy, newer }: MemoryHolding = { endedAt: null, supersededBy: [], newer: [] },
): KnownMemory {
  const ended = endedAt !== null || supersededBy.length > 0
  return {
    id: record.id,
    text: record.text,
    score,
    isLow,
    saidAt: statedAt(record),
    ended,
    newer: [...supersededBy, ...newer],
  }
}

/** Memories that are brought along are the user's own as those that they follow, so the other filters are left to check. */
function passes({ agentId, sessionId, categories }: MemoryRecord, input: ContextInput): boolean {
  const { agent_id: agent, session_id: session, categories: wanted } = input
  if (agent !== undefined && agent !== agentId) return false
  if (session !== undefined && session !== sessionId) return false
  return wanted === undefined || wanted.some(category => categories.includes(category.trim()))
}

/** A search takes so much, in UTF-16 units. */
const QUESTION_MAX = 1000

/** Most messages ask at their end, and say at their beginning what they are about. */
const END_MAX = 700

const BEGINNING_MAX = QUESTION_MAX - END_MAX - 1

/** So much of either end is looked at for where sentences begin and end. */
const REACH = 4 * END_MAX

/** Gives what is searched for to answer a message: all of it, or of a long one its first sentences and its last. */
export function questionOf(message: string): string {
  const text = message.trim()
  if (text.length <= QUESTION_MAX) return text
  return `${beginningOf(text.slice(0, REACH))} ${endOf(text.slice(-REACH))}`
}

function beginningOf(text: string): string {
  let end = 0
  for (const piece of piecesOf(text, BEGINNING_MAX)) {
    if (piece.end > BEGINNING_MAX) break
    end = piece.end
  }
  return text.slice(0, end).trim()
}

function endOf(text: string): string {
  const first = [...piecesOf(text, END_MAX)].find(({ start }) => text.length - start <= END_MAX)
  return text.slice(first?.start).trim()
}
