import type { Tx, Wiring } from 'mneme/plugin'
import { graphFacts, type KnownEntity, type KnownRelation, type KnownStatement } from '../../graph/contract.ts'
import { memoryReader } from '../../memories/contract.ts'
import { type Composed, composeAhead, STATEMENTS_MAX } from '../document/compose.ts'

/** Entities whose names may become headings and topics. */
const ENTITIES_MAX = 200
/** Statements, the newest of all categories, that a profile is drawn from. */
const PROFILE_STATEMENTS_MAX = 500
/** Relationships of the user's own, the strongest, that a profile may tell. */
const RELATIONS_MAX = 40

/** The input of a compilation, read in one transaction. */
export interface Facts {
  /** By category, oldest first. */
  readonly statements: ReadonlyMap<string, readonly KnownStatement[]>
  /** The most named first. */
  readonly entities: readonly KnownEntity[]
}

/** Additional input of a profile. */
export interface ProfileFacts {
  /** Statements of all categories, oldest first. */
  readonly statements: readonly KnownStatement[]
  readonly relations: readonly KnownRelation[]
  readonly entityCount: number
}

/** Reads facts that may have changed by the time something is made of them. */
async function readFactsWithoutLock(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
): Promise<Facts> {
  const graph = wiring.use(graphFacts)
  const [entities, ...lists] = await Promise.all([
    graph.entities(tx, { userId, limit: ENTITIES_MAX }),
    ...categories.map(category => graph.statements(tx, { userId, category, limit: STATEMENTS_MAX + 1 })),
  ])
  return { statements: new Map(categories.map((category, n) => [category, lists[n] ?? []])), entities }
}

/** Leaves out statements of memories that are not visible any more; a compilation would write the same unless something changes by then. */
export async function readVisibleFactsWithoutLock(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
): Promise<Facts> {
  const facts = await readFactsWithoutLock(tx, wiring, userId, categories)
  const ids = new Set([...facts.statements.values()].flat().map(memoryOf))
  const visible = new Set(await wiring.use(memoryReader).visible(tx, [...ids]))
  return { ...facts, statements: visibleIn(facts.statements, visible) }
}

/**
 * Puts the statements of categories in order before the transaction that writes them, which takes it where they are still the same then. Each
 * category is read in a short transaction of its own; they end with the one that brings the statements of all to as many as one document is made of.
 */
export async function composeCategories(
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
): Promise<ReadonlyMap<string, Composed>> {
  const ahead = new Map<string, Composed>()
  let count = 0
  for (const category of categories) {
    const facts = await transaction(tx => readVisibleFactsWithoutLock(tx, wiring, userId, [category]))
    const statements = facts.statements.get(category) ?? []
    ahead.set(category, await composeAhead(statements, facts.entities))
    count += statements.length
    if (count >= STATEMENTS_MAX) break
  }
  return ahead
}

/**
 * Facts to write down. Their memories are held until the transaction ends: one that is being deleted is waited for and then left
 * out, and a deletion that comes later finds what is written now and takes it back.
 * @param others further memories to hold
 */
export async function holdFacts(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
  others: readonly string[],
): Promise<Facts> {
  const facts = await readFactsWithoutLock(tx, wiring, userId, categories)
  const held = await hold(tx, wiring, [...[...facts.statements.values()].flat().map(memoryOf), ...others])
  return { ...facts, statements: visibleIn(facts.statements, held) }
}

/** The same with those of the profile. All memories are held in one go, in the order of their ids, as whoever deletes them does. */
export async function holdFactsWithProfile(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  categories: readonly string[],
): Promise<{ readonly facts: Facts; readonly profile: ProfileFacts }> {
  const graph = wiring.use(graphFacts)
  const [facts, newest, relations, entityCount] = await Promise.all([
    readFactsWithoutLock(tx, wiring, userId, categories),
    graph.statements(tx, { userId, limit: PROFILE_STATEMENTS_MAX }),
    graph.relations(tx, { userId, limit: RELATIONS_MAX }),
    graph.countEntities(tx, userId),
  ])
  const held = await hold(tx, wiring, [
    ...[...facts.statements.values()].flat().map(memoryOf),
    ...newest.map(memoryOf),
    ...relations.flatMap(({ memoryIds }) => memoryIds),
    ...facts.entities.flatMap(({ namedBy }) => namedBy),
  ])
  return {
    facts: {
      statements: visibleIn(facts.statements, held),
      entities: facts.entities.map(entity => ({ ...entity, namedBy: entity.namedBy.filter(id => held.has(id)) })),
    },
    profile: {
      statements: newest.filter(({ memoryId }) => held.has(memoryId)),
      relations: relations
        .map(relation => ({ ...relation, memoryIds: relation.memoryIds.filter(id => held.has(id)) }))
        .filter(({ memoryIds }) => memoryIds.length > 0),
      entityCount,
    },
  }
}

const memoryOf = ({ memoryId }: KnownStatement) => memoryId

async function hold(tx: Tx, wiring: Wiring, memoryIds: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set(await wiring.use(memoryReader).visible(tx, [...new Set(memoryIds)], 'locked'))
}

function visibleIn(
  statements: Facts['statements'],
  held: ReadonlySet<string>,
): ReadonlyMap<string, readonly KnownStatement[]> {
  return new Map([...statements].map(([category, own]) => [category, own.filter(({ memoryId }) => held.has(memoryId))]))
}
