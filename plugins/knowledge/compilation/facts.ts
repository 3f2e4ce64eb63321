import type { Tx } from '../../../core/db/database.ts'
import type { Wiring } from '../../../core/ports.ts'
import { graphFacts, type KnownEntity, type KnownStatement } from '../../graph/contract.ts'
import { memoryReader } from '../../memories/contract.ts'
import { STATEMENTS_MAX } from '../document/compose.ts'

/** Entities whose names may become headings and topics. */
const ENTITIES_MAX = 200

/** What a compilation rests on, as it stands in its transaction. */
export interface Facts {
  readonly statements: ReadonlyMap<string, readonly KnownStatement[]>
  readonly entities: readonly KnownEntity[]
}

/**
 * Reads the statements of some categories. Their memories are held until the transaction ends: one that is being deleted is
 * waited for and then left out, and a deletion that comes later finds what is written now and takes it back.
 */
export async function holdFacts(tx: Tx, wiring: Wiring, userId: string, categories: readonly string[]): Promise<Facts> {
  const [entities, ...lists] = await readFacts(tx, wiring, userId, categories)
  const ids = new Set(lists.flatMap(list => list.map(({ memoryId }) => memoryId)))
  const held = new Set(await wiring.use(memoryReader).visible(tx, [...ids], 'held'))
  const statements = categories.map(
    (category, n) => [category, (lists[n] ?? []).filter(({ memoryId }) => held.has(memoryId))] as const,
  )
  return { statements: new Map(statements), entities }
}

/** The same to look at only: by the time something is made of it, it may be different. */
export async function glanceAtFacts(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
): Promise<Facts> {
  const [entities, ...lists] = await readFacts(tx, wiring, userId, categories)
  return { statements: new Map(categories.map((category, n) => [category, lists[n] ?? []])), entities }
}

function readFacts(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
): Promise<[KnownEntity[], ...KnownStatement[][]]> {
  const facts = wiring.use(graphFacts)
  return Promise.all([
    facts.entities(tx, { userId, limit: ENTITIES_MAX }),
    ...categories.map(category => facts.statements(tx, { userId, category, limit: STATEMENTS_MAX + 1 })),
  ])
}
