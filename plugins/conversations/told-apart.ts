import { attributedTo, type CreateResult, type MemoryRecord, type MemoryWriter } from '../memories/contract.ts'
import type { Conversation, Fact } from './conversation.ts'

/** A workspace holds each text once. These facts say something else than the memory that has their words. */
export interface ToldApart {
  /** Another user has said the same of himself. */
  readonly byUser: ReadonlySet<Fact>
  /** The user has said the same on another day, and the words depend on it: "I see Ana tomorrow". */
  readonly byDay: ReadonlySet<Fact>
}

/** Words a fact so that its text is its own: with its day before it, or whose it is. */
export function wordingOf(fact: Fact, userId: string, saidAt: Date, { byUser, byDay }: ToldApart): string {
  const text = byDay.has(fact) ? `${saidAt.toISOString().slice(0, 10)}: ${fact.text}` : fact.text
  return byUser.has(fact) ? attributedTo(userId, text) : text
}

/** The outcomes of storing facts, in their order, and the memories that held their texts before. */
export interface Stored {
  readonly outcomes: readonly CreateResult[]
  readonly holders: ReadonlyMap<string, MemoryRecord>
}

/** When the turns of a conversation were said. */
export interface Times {
  readonly saidAt: (turn: number) => Date
  /** The time is the turn's own: a client that sends a whole talk without times tells only when its end was said. */
  readonly isKnown: (turn: number) => boolean
}

/** Finds facts whose words a memory has that says something else; what was told apart by its day once is the same on that day. */
export function findClashes(
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
