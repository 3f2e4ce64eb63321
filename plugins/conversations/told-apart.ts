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

/** Finds facts whose words a memory has that says something else; what was told apart by its day once is the same on that day. */
export function findClashes(
  { userId }: Conversation,
  facts: readonly Fact[],
  { outcomes, holders }: Stored,
  apart: ToldApart,
  states: { readonly saidAt: (turn: number) => Date; readonly same: MemoryWriter['statesSame'] },
): { readonly byUser: readonly Fact[]; readonly byDay: readonly Fact[] } {
  const byUser: Fact[] = []
  const byDay: Fact[] = []
  for (const [n, fact] of facts.entries()) {
    const outcome = outcomes[n]
    const holder = outcome && 'duplicateOf' in outcome ? holders.get(outcome.duplicateOf) : undefined
    if (!holder) continue
    if (holder.userId !== userId) byUser.push(fact)
    else if (!(apart.byDay.has(fact) || states.same(holder, states.saidAt(fact.turn)))) byDay.push(fact)
  }
  return { byUser, byDay }
}
