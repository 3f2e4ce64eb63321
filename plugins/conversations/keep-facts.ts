import type { Tenant, Tx } from 'mneme/plugin'
import type { MemoryWriter } from '../memories/contract.ts'
import {
  attributedTo,
  type CreateResult,
  type MemoryRecord,
  memoryReader,
  memoryWriter,
  type NewMemory,
  type PreparedMemories,
  type Restatement,
} from '../memories/contract.ts'
import type { Conversation, Fact, Reading, Turn } from './conversation.ts'
import { extractionJob } from './jobs.ts'
import { advance, complete, giveUp, insertResults, lockAt, type NewResult } from './queries/progress.ts'
import { findLastSaid, hasTurns } from './queries/turns.ts'
import type { ConversationsScope } from './scope.ts'

/** Facts kept in one transaction, so that a long text holds neither locks nor memory for long. */
const FACTS_MAX = 200
/** The same words can be of another user or another day, or of both; each round tells apart those found so far. */
const ROUNDS_MAX = 4

/**
 * Stores the facts of some turns as memories and goes on to the turns after. What is stored, the note of it and the step are one
 * transaction: what is repeated after a crash finds its place taken and leaves no trace. Turns with more than `factsMax` facts in all are
 * left to the next job; a single turn with more is kept in several transactions. One that is read again begins with its first fact, since
 * the next reading may find others: those that are stored are known by their text.
 */
export async function keepFacts(
  scope: ConversationsScope,
  tenant: Tenant,
  conversation: Conversation,
  turns: readonly Turn[],
  reading: Reading,
  factsMax = FACTS_MAX,
): Promise<void> {
  const kept = turnsWithin(turns, reading.facts, factsMax)
  const numbers = new Set(kept.map(({ turn }) => turn))
  const all = reading.facts.filter(({ turn }) => numbers.has(turn))
  let from = 0
  do {
    const facts = all.slice(from, from + factsMax)
    const isLast = from + facts.length >= all.length
    const part = { conversation: { ...conversation, keptFacts: from }, turns: kept, facts, isLast, reading }
    if (!(await keepPart(scope, tenant, part))) return
    from += facts.length
  } while (from < all.length)
}

/** The first turns that have no more than `factsMax` facts together, at least one. */
function turnsWithin(turns: readonly Turn[], facts: readonly Fact[], factsMax: number): readonly Turn[] {
  const byTurn = Map.groupBy(facts, ({ turn }) => turn)
  let count = 0
  const end = turns.findIndex(({ turn }, n) => {
    count += byTurn.get(turn)?.length ?? 0
    return n > 0 && count > factsMax
  })
  return end === -1 ? turns : turns.slice(0, end)
}

/** Facts that are kept in one transaction. */
interface Part {
  /** With the number of facts that were kept before these. */
  readonly conversation: Conversation
  readonly turns: readonly Turn[]
  readonly facts: readonly Fact[]
  /** None of these turns' facts is left after them. */
  readonly isLast: boolean
  readonly reading: Reading
}

/** @returns whether the conversation stands where it was expected and goes on */
async function keepPart(scope: ConversationsScope, tenant: Tenant, part: Part): Promise<boolean> {
  const { conversation } = part
  const { workspaceId } = tenant
  return storeInRounds(scope, tenant, part, async (tx, store) => {
    if (!(await lockAt(tx, workspaceId, conversation.id, conversation))) return false
    const { outcomes, results, saidAt } = await store(await findLastSaid(tx, workspaceId, conversation.id))
    await scope.wiring.use(memoryWriter).restate(tx, tenant, restatementsOf(results, saidAt))
    return goOn(tx, scope, tenant, part, outcomes, results)
  })
}

/** Stores facts as {@link keepFacts} does, and undoes it. @returns the memories that would have been made */
export async function rehearseFacts(
  scope: ConversationsScope,
  tenant: Tenant,
  told: Told,
): Promise<readonly MemoryRecord[]> {
  const lastSaid = told.turns.findLast(({ role }) => role === 'user')?.turn
  try {
    return await storeInRounds(scope, tenant, told, async (_, store) => {
      const { outcomes } = await store(lastSaid)
      throw new Rehearsed(outcomes.flatMap(outcome => ('created' in outcome ? [outcome.created] : [])))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.memories
    throw error
  }
}

/** Rolls a rehearsal back; never leaves this file. */
class Rehearsed extends Error {
  constructor(readonly memories: readonly MemoryRecord[]) {
    super('a rehearsal is over')
  }
}

/** Facts and what is needed to store them. */
type Told = Pick<Part, 'conversation' | 'turns' | 'facts'>

/** Stores the facts in the transaction at hand. @param lastSaid the user's last turn */
type Store = (lastSaid: number | undefined) => Promise<{
  readonly outcomes: readonly CreateResult[]
  readonly results: readonly NewResult[]
  readonly saidAt: (turn: number) => Date
}>

/** Runs a transaction that stores facts; again, with other words, while memories that say something else have the same. */
async function storeInRounds<T>(
  scope: ConversationsScope,
  tenant: Tenant,
  { conversation, turns, facts }: Told,
  work: (tx: Tx, store: Store) => Promise<T>,
): Promise<T> {
  const writer = scope.wiring.use(memoryWriter)
  const { createdAt } = conversation
  const saidAt = timesOf(conversation, turns)
  const apart = { byUser: new Set<Fact>(), byDay: new Set<Fact>() }
  for (let round = 1; ; round++) {
    const prepared = await writer.prepare(tenant, memoriesOf(conversation, saidAt, facts, apart))
    try {
      return await tenant.transaction(tx =>
        work(tx, async lastSaid => {
          const outcomes = await create(tx, scope, tenant, prepared)
          const stored = { outcomes, holders: await holdersOf(tx, scope, outcomes) }
          const isKnown = (turn: number) => turn === lastSaid || saidAt(turn).getTime() !== createdAt.getTime()
          const times = { saidAt, isKnown, statesSame: writer.statesSame }
          const clashes = findClashes(conversation, facts, stored, apart, times)
          if (clashes.byUser.length + clashes.byDay.length > 0 && round < ROUNDS_MAX) throw new SaidBefore(clashes)
          return { outcomes, results: resultsOf(conversation, facts, stored, clashes.byUser), saidAt }
        }),
      )
    } catch (error) {
      if (!(error instanceof SaidBefore)) throw error
      for (const fact of error.clashes.byUser) apart.byUser.add(fact)
      for (const fact of error.clashes.byDay) apart.byDay.add(fact)
    }
  }
}

/** Rolls a transaction back; never leaves this file. */
class SaidBefore extends Error {
  constructor(readonly clashes: ReturnType<typeof findClashes>) {
    super('memories that say something else have the same words')
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

/** Finds the memories that held a text before, by id. */
async function holdersOf(
  tx: Tx,
  { wiring }: ConversationsScope,
  outcomes: readonly CreateResult[],
): Promise<ReadonlyMap<string, MemoryRecord>> {
  const ids = outcomes.flatMap(outcome => ('duplicateOf' in outcome ? [outcome.duplicateOf] : []))
  const records = ids.length > 0 ? await wiring.use(memoryReader).records(tx, ids) : []
  return new Map(records.map(record => [record.id, record]))
}

async function goOn(
  tx: Tx,
  { jobs }: ConversationsScope,
  tenant: Tenant,
  { conversation: { id, nextTurn, keptFacts, againEnd }, turns, facts, isLast, reading }: Part,
  outcomes: readonly CreateResult[],
  results: readonly NewResult[],
): Promise<boolean> {
  const { workspaceId } = tenant
  await insertResults(tx, workspaceId, id, results)
  const isFull = outcomes.some(outcome => 'quotaExceeded' in outcome)
  const next = (turns.at(-1)?.turn ?? nextTurn) + 1
  // A conversation without room for its facts stays where it is, should it be tried again.
  const kept = isFull ? keptFacts : keptFacts + facts.length
  const isRead = isLast && !isFull
  const place = isRead ? { nextTurn: next, keptFacts: 0 } : { nextTurn, keptFacts: kept }
  await advance(tx, workspaceId, id, place, { ...reading, isProvisional: isRead && reading.isProvisional })
  if (isFull) await giveUp(tx, workspaceId, id, quotaSentence(tenant))
  else if (!isLast) return true
  else if (turns.length === 0 || !(await hasTurns(tx, workspaceId, id, next, againEnd)))
    await complete(tx, workspaceId, id)
  else await jobs.enqueue(tx, [extractionJob(workspaceId, id, next)])
  return false
}

function memoriesOf(
  conversation: Conversation,
  saidAt: (turn: number) => Date,
  facts: readonly Fact[],
  apart: ToldApart,
): NewMemory[] {
  const { userId, agentId, sessionId, priority, categories, metadata, createdAt } = conversation
  const isUnknown = (turn: number) => metadata?.said_at === null && saidAt(turn).getTime() === createdAt.getTime()
  return facts.map(fact => ({
    text: wordingOf(fact, userId, saidAt(fact.turn), apart),
    userId,
    agentId,
    sessionId,
    priority,
    categories,
    metadata: {
      ...metadata,
      conversation_id: conversation.id,
      turn: fact.turn,
      role: fact.saidBy ?? 'user',
      ...(fact.saidBy ? { said_by: fact.saidBy } : {}),
      // Whoever submits says by a null that the time of what has none is not known.
      said_at: isUnknown(fact.turn) ? null : saidAt(fact.turn).toISOString(),
    },
    source: 'CONVERSATION',
  }))
}

function timesOf({ createdAt }: Conversation, turns: readonly Turn[]): (turn: number) => Date {
  const saidAt = new Map(turns.map(turn => [turn.turn, turn.saidAt]))
  return turn => saidAt.get(turn) ?? createdAt
}

/** Finds the memories whose text the user said again: "I live in Berlin" holds once more after "I moved to Porto". */
function restatementsOf(results: readonly NewResult[], saidAt: (turn: number) => Date): Restatement[] {
  const told = results.map(({ memoryId, turn, created }) => ({ memoryId, statedAt: saidAt(turn), created }))
  const first = new Map(told.flatMap(one => (one.created ? [[one.memoryId, one.statedAt.getTime()] as const] : [])))
  // Messages without times are of one instant, at which a new memory holds already.
  const again = told.filter(one => !one.created && first.get(one.memoryId) !== one.statedAt.getTime())
  return again.map(({ memoryId, statedAt }) => ({ memoryId, statedAt }))
}

/** A memory that said the same before counts as well; what another user has said does not. */
function resultsOf(
  { keptFacts }: Conversation,
  facts: readonly Fact[],
  { outcomes, holders }: Stored,
  others: readonly Fact[],
): NewResult[] {
  return facts.flatMap((fact, n): NewResult[] => {
    const outcome = outcomes[n]
    if (outcome === undefined || others.includes(fact)) return []
    const place = { turn: fact.turn, ordinal: keptFacts + n }
    if ('created' in outcome) {
      const { id: memoryId, revision } = outcome.created
      return [{ memoryId, ...place, created: true, revision }]
    }
    if (!('duplicateOf' in outcome)) return []
    const revision = holders.get(outcome.duplicateOf)?.revision ?? 1
    return [{ memoryId: outcome.duplicateOf, ...place, created: false, revision }]
  })
}

function quotaSentence({ workspace }: Tenant): string {
  return `The ${workspace.plan} plan's ${workspace.quotas.memories} memories are used up; what was stored before stays.`
}

/** A workspace holds each text once. These facts say something else than the memory that has their words. */
interface ToldApart {
  /** Another user has said the same of himself. */
  readonly byUser: ReadonlySet<Fact>
  /** The user has said the same on another day, and the words depend on it: "I see Ana tomorrow". */
  readonly byDay: ReadonlySet<Fact>
}

/** Words a fact so that its text is its own: with its day before it, or whose it is. */
function wordingOf(fact: Fact, userId: string, saidAt: Date, { byUser, byDay }: ToldApart): string {
  const text = byDay.has(fact) ? `${saidAt.toISOString().slice(0, 10)}: ${fact.text}` : fact.text
  return byUser.has(fact) ? attributedTo(userId, text) : text
}

/** The outcomes of storing facts, in their order, and the memories that held their texts before. */
interface Stored {
  readonly outcomes: readonly CreateResult[]
  readonly holders: ReadonlyMap<string, MemoryRecord>
}

/** When the turns of a conversation were said. */
interface Times {
  readonly saidAt: (turn: number) => Date
  /** The time is the turn's own: a client that sends a whole talk without times tells only when its end was said. */
  readonly isKnown: (turn: number) => boolean
}

/** Finds facts whose words a memory has that says something else; what was told apart by its day once is the same on that day. */
function findClashes(
  { id, userId }: Conversation,
  facts: readonly Fact[],
  { outcomes, holders }: Stored,
  apart: ToldApart,
  { saidAt, isKnown, statesSame }: Times & Pick<MemoryWriter, 'statesSame'>,
): { readonly byUser: readonly Fact[]; readonly byDay: readonly Fact[] } {
  const byUser: Fact[] = []
  const byDay: Fact[] = []
  for (const [n, fact] of facts.entries()) {
    const outcome = outcomes[n]
    const holder = outcome && 'duplicateOf' in outcome ? holders.get(outcome.duplicateOf) : undefined
    if (!holder) continue
    if (holder.userId !== userId) byUser.push(fact)
    else if (apart.byDay.has(fact) || !isKnown(fact.turn) || isOfTurn(holder, id, fact.turn)) continue
    else if (!statesSame(holder, saidAt(fact.turn))) byDay.push(fact)
  }
  return { byUser, byDay }
}

/** A turn that is read again, perhaps hours later, states what it stated. */
function isOfTurn({ metadata }: MemoryRecord, conversationId: string, turn: number): boolean {
  return metadata?.conversation_id === conversationId && metadata.turn === turn
}
