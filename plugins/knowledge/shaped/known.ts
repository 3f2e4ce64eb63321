import { claimOf, type Tenant, type Wiring } from 'mneme/plugin'
import { graphFacts, type KnownStatement, type RelationType } from '../../graph/contract.ts'
import { type MemoryHolding, type MemoryRecord, memoryReader, statedAt } from '../../memories/contract.ts'
import { contradicted } from '../document/contradictions.ts'
import { normalForm, onOneLine, wordsOf } from '../document/wording.ts'

const STATEMENTS_MAX = 300
const RELATIONS_MAX = 100

/** A memory that a value rests on. */
export interface Origin {
  readonly memoryId: string
  readonly saidAt: Date
}

/** A value of a property, or an item of its list. */
export interface Filling extends Origin {
  readonly path: readonly string[]
  readonly value: unknown
}

/** One thing that is known of a user: the end of a relationship, or what the user has one of. */
export interface KnownValue extends Origin {
  /** `NAME`, a type of relationship, or what it is of in the user's words ("favourite colour"). */
  readonly slot: string
  readonly isOwnWords: boolean
  readonly value: string
  /** A later statement about the same thing stands beside it, of which nothing is understood. */
  readonly isDoubtful: boolean
}

export interface KnownOfUser {
  /** The newest first. */
  readonly values: readonly KnownValue[]
  /** Those that hold, the newest first. */
  readonly statements: readonly (Origin & { readonly text: string })[]
}

/** People have one of these at a time, so the newest alone may be told. */
const SINGLE: ReadonlySet<string> = new Set<RelationType | 'NAME'>([
  'WORKS_AT',
  'LIVES_IN',
  'REPORTS_TO',
  'MARRIED_TO',
  'NAME',
])

/** Reads what graph and knowledge know of a user, each with its memory and the day on which that was said. */
export async function readKnown(tenant: Tenant, wiring: Pick<Wiring, 'use'>, userId: string): Promise<KnownOfUser> {
  const graph = wiring.use(graphFacts)
  const reader = wiring.use(memoryReader)
  return tenant.transaction(async tx => {
    const [statements, relations, entities] = await Promise.all([
      graph.statements(tx, { userId, limit: STATEMENTS_MAX }),
      graph.relations(tx, { userId, limit: RELATIONS_MAX }),
      graph.entities(tx, { userId, limit: RELATIONS_MAX }),
    ])
    const user = entities.find(({ isUser, name }) => isUser && name !== userId)
    const ids = [
      ...statements.map(({ memoryId }) => memoryId),
      ...relations.flatMap(({ memoryIds }) => memoryIds),
      ...(user?.namedBy ?? []),
    ]
    const records = await reader.records(tx, [...new Set(ids)])
    const origins = new Origins(records, await reader.holdings(tx, records))
    const over = contradicted(statements)
    const current = statements.filter(one => !one.ended && !over.has(one)).toReversed()
    const claims = current.flatMap(({ text, memoryId }) => {
      const claim = claimIn(text)
      return claim ? [{ ...claim, isOwnWords: true, memoryIds: [memoryId] }] : []
    })
    const known = [
      ...(user ? [{ slot: 'NAME', value: user.name, isOwnWords: false, memoryIds: user.namedBy }] : []),
      ...relations.map(({ type, name, memoryIds }) => ({ slot: type, value: name, isOwnWords: false, memoryIds })),
      ...claims,
    ]
    const understood = new Set(known.flatMap(({ memoryIds }) => memoryIds))
    const values = known.flatMap(({ memoryIds, ...one }) => {
      const origin = origins.newestOf(memoryIds)
      return origin ? [{ ...one, ...origin, isDoubtful: origins.hasNewer(origin.memoryId, understood) }] : []
    })
    return {
      values: values.toSorted(byTime),
      statements: current.flatMap(({ text, memoryId }) => {
        const origin = origins.newestOf([memoryId])
        return origin ? [{ ...origin, text: onOneLine(text) }] : []
      }),
    }
  })
}

const byTime = (a: Origin, b: Origin) => b.saidAt.getTime() - a.saidAt.getTime()

/** Memories that are there still, with the day on which each was said. */
class Origins {
  readonly #origins: ReadonlyMap<string, Origin>
  readonly #holdings: ReadonlyMap<string, MemoryHolding>

  constructor(records: readonly MemoryRecord[], holdings: ReadonlyMap<string, MemoryHolding>) {
    this.#origins = new Map(records.map(record => [record.id, { memoryId: record.id, saidAt: statedAt(record) }]))
    this.#holdings = holdings
  }

  newestOf(memoryIds: readonly string[]): Origin | undefined {
    return memoryIds.flatMap(id => this.#origins.get(id) ?? []).toSorted(byTime)[0]
  }

  /** Tells whether something was said later of the same by another memory than those that are understood, which say something else. */
  hasNewer(id: string, understood: ReadonlySet<string>): boolean {
    return (this.#holdings.get(id)?.newer ?? []).some(newer => !understood.has(newer))
  }
}

/** Tells whether a value may stand for the only one of its kind. */
export function isSettled({ slot, isDoubtful }: KnownValue): boolean {
  return !(isDoubtful && SINGLE.has(slot))
}

/** "My favourite colour is green": what it is of, and the value as it is written. */
function claimIn(text: KnownStatement['text']): { readonly slot: string; readonly value: string } | undefined {
  const normal = normalForm(onOneLine(text))
  const { aspect, value = '' } = claimOf(wordsOf(normal)) ?? {}
  const slot = /^= \S+ (.+)$/.exec(aspect ?? '')?.[1]
  if (slot === undefined) return undefined
  const at = onOneLine(text).toLowerCase().indexOf(value)
  return { slot, value: at === -1 ? value : onOneLine(text).slice(at, at + value.length) }
}
