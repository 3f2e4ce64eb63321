import { DAY_MS } from 'mneme/plugin'
import type { RelationType } from './contract.ts'

const FOR_A_LIFE = 3650
const FOR_YEARS = 1095
const FOR_A_YEAR = 365

/**
 * Days after which half of a confidence is left: what was once so stays so, where one works or lives changes every few years,
 * and what one likes or uses sooner. `graph.decay` in sql/ is the same.
 */
const HALF_LIFE_DAYS: Readonly<Record<RelationType, number>> = {
  BORN_IN: FOR_A_LIFE,
  PARENT_OF: FOR_A_LIFE,
  LOCATED_IN: FOR_A_LIFE,
  PART_OF: FOR_A_LIFE,
  CREATED: FOR_A_LIFE,
  STUDIED_AT: FOR_A_LIFE,
  RELATED_TO: FOR_A_LIFE,
  WORKS_AT: FOR_YEARS,
  MANAGES: FOR_YEARS,
  REPORTS_TO: FOR_YEARS,
  COLLABORATES_WITH: FOR_YEARS,
  KNOWS: FOR_YEARS,
  MARRIED_TO: FOR_YEARS,
  LIVES_IN: FOR_YEARS,
  VISITED: FOR_YEARS,
  OWNS: FOR_YEARS,
  MEMBER_OF: FOR_YEARS,
  LIKES: FOR_A_YEAR,
  DISLIKES: FOR_A_YEAR,
  INTERESTED_IN: FOR_A_YEAR,
  USES_TECHNOLOGY: FOR_A_YEAR,
}

/** After a hundred halvings nothing is left to tell apart, and a `real` of Postgres still holds the share. */
const HALVINGS_MAX = 100

/** The remaining share of a confidence after a time, from 1 down to nearly 0. */
export function decay(type: RelationType, ageMs: number): number {
  return 0.5 ** Math.min(Math.max(ageMs, 0) / DAY_MS / HALF_LIFE_DAYS[type], HALVINGS_MAX)
}

export interface Weighed {
  readonly memoryId: string
  readonly confidence: number
  readonly statedAt: Date
}

/** `1 − Π(1 − confidence × decay)` over the memories, each with the strongest of what it says. */
export function weigh(type: RelationType, evidence: readonly Weighed[], now: Date): number {
  const byMemory = new Map<string, number>()
  for (const { memoryId, confidence, statedAt } of evidence) {
    const strength = confidence * decay(type, now.getTime() - statedAt.getTime())
    byMemory.set(memoryId, Math.max(strength, byMemory.get(memoryId) ?? 0))
  }
  let without = 1
  for (const strength of byMemory.values()) without *= 1 - strength
  return 1 - without
}
