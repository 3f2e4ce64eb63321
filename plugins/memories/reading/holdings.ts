import type { Tx, Wiring } from 'mneme/plugin'
import { type Holding, memoryHoldings } from '../contract/holding.ts'
import { isOfAssistant, type MemoryHolding, type MemoryRecord, statedAt } from '../contract.ts'
import { findRecords } from '../queries/read.ts'

/** A memory names so many others of each kind. */
const NAMED_MAX = 3

export const HOLDS: MemoryHolding = { endedAt: null, supersededBy: [], newer: [] }

type Wired = Pick<Wiring, 'extensions'>

/** The answers of all sources, each by memory. */
export type KnownHoldings = readonly ReadonlyMap<string, Holding>[]

/** Asks every source whether memories hold, and which are about the same thing; that needs no more of them than their ids. */
export async function askHoldings(
  tx: Tx,
  wiring: Wired,
  workspaceId: string,
  ids: readonly string[],
): Promise<KnownHoldings> {
  if (ids.length === 0) return []
  return Promise.all(wiring.extensions(memoryHoldings).map(source => source.holdings(tx, workspaceId, ids)))
}

/** Asks every source, and tells which are later statements about the same thing. Memories of which nothing is known are left out. */
export async function readHoldings(
  tx: Tx,
  wiring: Wired,
  workspaceId: string,
  records: readonly MemoryRecord[],
): Promise<Map<string, MemoryHolding>> {
  const ids = records.map(({ id }) => id)
  return holdingsOf(tx, await askHoldings(tx, wiring, workspaceId, ids), records)
}

/** Puts together what the sources know of memories. */
export async function holdingsOf(
  tx: Tx,
  known: KnownHoldings,
  records: readonly MemoryRecord[],
): Promise<Map<string, MemoryHolding>> {
  const ids = records.map(({ id }) => id)
  const of = (id: string) => known.flatMap(found => found.get(id) ?? [])
  const others = await findRecords(tx, unknownAmong(records, ids.flatMap(of).flatMap(namedIn)))
  const byId = new Map([...records, ...others].map(record => [record.id, record]))
  return new Map(
    records.flatMap(record => {
      const parts = of(record.id)
      if (parts.length === 0) return []
      const ends = parts.flatMap(({ endedAt }) => endedAt ?? [])
      const supersededBy = unique(parts.flatMap(part => part.supersededBy ?? [])).filter(id => byId.has(id))
      const alike = unique(parts.flatMap(part => part.alike ?? [])).flatMap(id => byId.get(id) ?? [])
      const newer = alike
        .filter(
          other =>
            isOfAssistant(other) === isOfAssistant(record) &&
            isLater(other, record) &&
            !supersededBy.includes(other.id),
        )
        .slice(0, NAMED_MAX)
        .toSorted((a, b) => (isLater(a, b) ? -1 : 1))
      const holding: MemoryHolding = {
        endedAt: ends.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null,
        supersededBy: supersededBy.slice(0, NAMED_MAX),
        newer: newer.map(({ id }) => id),
      }
      return [[record.id, holding] as const]
    }),
  )
}

function namedIn({ supersededBy = [], alike = [] }: { supersededBy?: readonly string[]; alike?: readonly string[] }) {
  return [...supersededBy, ...alike]
}

function unknownAmong(records: readonly MemoryRecord[], ids: readonly string[]): string[] {
  const known = new Set(records.map(({ id }) => id))
  return unique(ids).filter(id => !known.has(id))
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

/** Ids are made in the order of time, and so decide between two that were said at one moment. */
function isLater(one: MemoryRecord, other: MemoryRecord): boolean {
  const apart = statedAt(one).getTime() - statedAt(other).getTime()
  return apart === 0 ? one.id > other.id : apart > 0
}
