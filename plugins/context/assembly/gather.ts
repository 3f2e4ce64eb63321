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
import { standingStatements } from '../../search/contract.ts'
import type { ContextInput } from '../schemas.ts'
import type { Known, KnownMemory, StandingStatement } from './compose.ts'
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
  const standing = await readStanding(wiring, tenant, input)
  return { query, standing, profile: profile?.summary ?? '', facts: facts ?? [], memories, search }
}

function filterOf({ user_id: userId, agent_id: agentId, session_id: sessionId, categories }: ContextInput) {
  return {
    ...(userId === undefined ? {} : { userId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(categories === undefined ? {} : { categories: categories.map(category => category.trim()) }),
  }
}

/** More are no instructions any more. */
const STANDING_MAX = 30

/** Reads what the user said that holds for every conversation; what the graph knows to be over is left out, and what was said to another agent. */
async function readStanding(wiring: Wiring, tenant: Tenant, input: ContextInput): Promise<StandingStatement[]> {
  const { user_id: userId, agent_id: agentId } = input
  const source = wiring.find(standingStatements)
  if (userId === undefined || !source) return []
  const reader = wiring.use(memoryReader)
  return tenant.transaction(async tx => {
    const found = await source.of(tx, tenant.workspaceId, userId, STANDING_MAX)
    const kinds = new Map(found.map(({ memoryId, kind }) => [memoryId, kind]))
    const records = await reader.records(tx, [...kinds.keys()])
    const holdings = await reader.holdings(tx, records)
    const isOver = (id: string) => {
      const { endedAt, supersededBy } = holdings.get(id) ?? { endedAt: null, supersededBy: [] }
      return endedAt !== null || supersededBy.length > 0
    }
    // One allergy does not take the place of another.
    const isEarlier = (id: string) =>
      kinds.get(id) !== 'constraint' &&
      (holdings.get(id)?.newer.some(other => kinds.get(other) === kinds.get(id)) ?? false)
    return records
      .filter(record => !isOver(record.id) && (agentId === undefined || [null, agentId].includes(record.agentId)))
      .map(record => ({ id: record.id, text: record.text.trim(), saidAt: statedAt(record) }))
      .toSorted((a, b) => b.saidAt.getTime() - a.saidAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(one => ({ ...one, isEarlier: isEarlier(one.id) }))
  })
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
