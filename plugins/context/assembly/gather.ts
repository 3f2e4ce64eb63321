import type { Tenant, Wiring } from 'mneme/plugin'
import { namedFacts } from '../../graph/contract.ts'
import { memoryProfiles, memoryReader, memorySearch, type SearchResponse, statedAt } from '../../memories/contract.ts'
import { endedFacts } from '../../search/contract.ts'
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
    page: 1,
    pageSize: MEMORIES_MAX,
  })
  const profile = userId === undefined ? undefined : await wiring.find(memoryProfiles)?.profile(tenant, userId)
  const facts = await wiring.find(namedFacts)?.about(tenant, { text: query, userId, limit: FACTS_MAX })
  const memories = await readMemories(wiring, tenant, new Map(search.data.map(({ id, score }) => [id, score])))
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

/** Reads memories in the order of their scores, with what the search leaves out: when they were said, and whether they still hold. */
async function readMemories(
  wiring: Wiring,
  tenant: Tenant,
  scores: ReadonlyMap<string, number>,
): Promise<KnownMemory[]> {
  const { workspaceId } = tenant
  const memoryIds = [...scores.keys()]
  // A query that asks for nothing is one about the present, for which everything that has ended is told.
  const request = { workspaceId, memoryIds, query: '' }
  const { records, ended } = await tenant.transaction(async tx => {
    const found = new Set<string>()
    for (const source of wiring.extensions(endedFacts))
      for (const id of (await source.ended(tx, request)).keys()) found.add(id)
    return { records: await wiring.use(memoryReader).records(tx, memoryIds), ended: found }
  })
  const byId = new Map(records.map(record => [record.id, record]))
  return [...scores].flatMap(([id, score]) => {
    const record = byId.get(id)
    return record ? [{ id, score, text: record.text, saidAt: statedAt(record), ended: ended.has(id) }] : []
  })
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
