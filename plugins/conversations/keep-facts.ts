import type { Tenant, Tx } from 'mneme/plugin'
import {
  type CreateResult,
  memoryReader,
  memoryWriter,
  type NewMemory,
  type PreparedMemories,
} from '../memories/contract.ts'
import type { Conversation, Fact, Reading, Turn } from './conversation.ts'
import { extractionJob } from './jobs.ts'
import { advance, complete, giveUp, hasTurns, insertResults, lockAt, type NewResult } from './queries/progress.ts'
import type { ConversationsScope } from './scope.ts'

/** Two users can say the same words; each round tells apart those found so far. */
const ROUNDS_MAX = 3

/**
 * Stores the facts of some turns as memories and goes on to the turns after, in one transaction: what is repeated after a
 * crash finds its place taken and leaves no trace.
 */
export async function keepFacts(
  scope: ConversationsScope,
  tenant: Tenant,
  conversation: Conversation,
  turns: readonly Turn[],
  reading: Reading,
): Promise<void> {
  const writer = scope.wiring.use(memoryWriter)
  const attributed = new Set<Fact>()
  for (let round = 1; ; round++) {
    const memories = memoriesOf(conversation, turns, reading.facts, attributed)
    const prepared = await writer.prepare(tenant, memories)
    try {
      return await tenant.transaction(async tx => {
        if (!(await lockAt(tx, tenant.workspaceId, conversation.id, conversation.nextTurn))) return
        const outcomes = await create(tx, scope, tenant, prepared)
        const others = await saidByOthers(tx, scope, conversation, reading.facts, outcomes)
        if (others.length > 0 && round < ROUNDS_MAX) throw new SaidByOthers(others)
        const own = outcomes.filter((_, n) => !others.some(fact => fact === reading.facts[n]))
        const facts = reading.facts.filter(fact => !others.includes(fact))
        await goOn(tx, scope, tenant, conversation, turns, { ...reading, facts }, own)
      })
    } catch (error) {
      if (!(error instanceof SaidByOthers)) throw error
      for (const fact of error.facts) attributed.add(fact)
    }
  }
}

/** Rolls a transaction back; never leaves this file. */
class SaidByOthers extends Error {
  constructor(readonly facts: readonly Fact[]) {
    super('another user has said the same words')
  }
}

async function create(
  tx: Tx,
  { wiring }: ConversationsScope,
  tenant: Tenant,
  prepared: PreparedMemories,
): Promise<readonly CreateResult[]> {
  return prepared.records.length > 0 ? wiring.use(memoryWriter).create(tx, tenant, prepared) : []
}

/**
 * A workspace holds each text once, and users speak of themselves in the same words. What a memory of somebody else holds
 * says nothing about this user, so the text is then stored with the user's name before it.
 */
async function saidByOthers(
  tx: Tx,
  { wiring }: ConversationsScope,
  { userId }: Conversation,
  facts: readonly Fact[],
  outcomes: readonly CreateResult[],
): Promise<Fact[]> {
  const holders = outcomes.flatMap(outcome => ('duplicateOf' in outcome ? [outcome.duplicateOf] : []))
  if (holders.length === 0) return []
  const records = await wiring.use(memoryReader).records(tx, holders)
  const foreign = new Set(records.filter(record => record.userId !== userId).map(({ id }) => id))
  return facts.filter((_, n) => {
    const outcome = outcomes[n]
    return outcome !== undefined && 'duplicateOf' in outcome && foreign.has(outcome.duplicateOf)
  })
}

async function goOn(
  tx: Tx,
  { jobs }: ConversationsScope,
  tenant: Tenant,
  { id, nextTurn }: Conversation,
  turns: readonly Turn[],
  { facts, extractedBy }: Reading,
  outcomes: readonly CreateResult[],
): Promise<void> {
  const { workspaceId } = tenant
  await insertResults(tx, workspaceId, id, resultsOf(facts, outcomes))
  const isFull = outcomes.some(outcome => 'quotaExceeded' in outcome)
  // A conversation without room for its facts stays where it is, should it be tried again.
  const next = isFull ? nextTurn : (turns.at(-1)?.turn ?? nextTurn) + 1
  await advance(tx, workspaceId, id, next, extractedBy)
  if (isFull) return giveUp(tx, workspaceId, id, quotaSentence(tenant))
  const isOver = turns.length === 0 || !(await hasTurns(tx, workspaceId, id, next))
  if (isOver) return complete(tx, workspaceId, id)
  await jobs.enqueue(tx, [extractionJob(workspaceId, id, next)])
}

function memoriesOf(
  conversation: Conversation,
  turns: readonly Turn[],
  facts: readonly Fact[],
  attributed: ReadonlySet<Fact>,
): NewMemory[] {
  const { userId, agentId, sessionId, priority, categories, metadata, createdAt } = conversation
  const saidAt = new Map(turns.map(turn => [turn.turn, turn.saidAt]))
  return facts.map(fact => ({
    text: attributed.has(fact) ? `${userId}: ${fact.text}` : fact.text,
    userId,
    agentId,
    sessionId,
    priority,
    categories,
    metadata: {
      ...metadata,
      conversation_id: conversation.id,
      turn: fact.turn,
      role: 'user',
      said_at: (saidAt.get(fact.turn) ?? createdAt).toISOString(),
    },
    source: 'CONVERSATION',
  }))
}

/** A memory that said the same before counts as well. */
function resultsOf(facts: readonly Fact[], outcomes: readonly CreateResult[]): NewResult[] {
  return outcomes.flatMap((outcome, ordinal): NewResult[] => {
    const turn = facts[ordinal]?.turn ?? 0
    if ('created' in outcome) return [{ memoryId: outcome.created.id, turn, ordinal, created: true }]
    if ('duplicateOf' in outcome) return [{ memoryId: outcome.duplicateOf, turn, ordinal, created: false }]
    return []
  })
}

function quotaSentence({ workspace }: Tenant): string {
  return `The ${workspace.plan} plan's ${workspace.quotas.memories} memories are used up; what was stored before stays.`
}
