import type { EventPublisher, Tx } from 'mneme/plugin'
import { describeEntities, neighboursOf } from '../describing/describe-entities.ts'
import type { Triple } from '../resolve/move-mentions.ts'
import { namesIn } from '../resolve/named-entity.ts'
import type { Owner } from '../resolve/owner.ts'
import { refreshEntities } from '../resolve/refresh-entities.ts'
import { regroupEntities } from '../resolve/regroup-entities.ts'
import { deriveEdges } from './derive-edges.ts'
import { evidenceRows, mentionRows, statementRows } from './fact-rows.ts'
import type { PlaceOf } from './known-places.ts'
import { publishFactsChanged } from './publish-facts-changed.ts'
import type { ReadMemory } from './read-memory.ts'
import { categoriesOf, storeFacts } from './store-facts.ts'
import { type Touched, withdraw } from './withdraw.ts'

/**
 * Replaces what memories of one user said by what was read in them now, in the caller's transaction, which holds the memories
 * and the user's lock. Whatever follows from it is brought up to date, and told in one event.
 */
export async function writeExtractions(
  tx: Tx,
  events: EventPublisher,
  owner: Owner,
  memories: readonly ReadMemory[],
  { readBefore, placeOf }: { readonly readBefore: readonly string[]; readonly placeOf: PlaceOf },
): Promise<void> {
  const { workspaceId, userId } = owner
  const touched: Touched = { triples: [], entityIds: new Set(), categories: new Set() }
  if (readBefore.length > 0) {
    const former = (await withdraw(tx, workspaceId, readBefore)).get(userId)
    for (const triple of former?.triples ?? []) touched.triples.push(triple)
    for (const id of former?.entityIds ?? []) touched.entityIds.add(id)
    for (const category of former?.categories ?? []) touched.categories.add(category)
  }
  const named = memories.map(({ extraction }) => namesIn(extraction, userId))
  const {
    ids,
    entities,
    entityIds,
    triples: moved,
  } = await regroupEntities(
    tx,
    owner,
    { names: [], entityIds: [...touched.entityIds] },
    memories.map(({ statedAt }, n) => ({ named: named[n] ?? [], statedAt })),
  )
  for (const id of entityIds) touched.entityIds.add(id)
  touched.triples.push(...moved)
  const mentions = memories.flatMap((memory, n) => mentionRows(memory, named[n] ?? [], ids[n] ?? []))
  const evidence = memories.flatMap((memory, n) => evidenceRows(memory, ids[n] ?? []))
  const statements = memories.flatMap(statementRows)
  await storeFacts(tx, owner, { entities, mentions, evidence, statements, placeOf })
  for (const { entity_id: id } of mentions) touched.entityIds.add(id)
  for (const { categories } of statements) for (const category of categories) touched.categories.add(category)
  const triples: Triple[] = evidence.map(row => ({
    sourceId: row.source_id,
    targetId: row.target_id,
    type: row.type,
  }))
  await settle(tx, events, owner, { ...touched, triples: [...touched.triples, ...triples] })
}

/** Derives what follows from a change of facts, and tells of it. */
export async function settle(tx: Tx, events: EventPublisher, owner: Owner, touched: Touched): Promise<void> {
  const { workspaceId } = owner
  const { triples, entityIds, categories } = touched
  if (triples.length === 0 && entityIds.size === 0 && categories.size === 0) return
  // Names first: which of two may both be right goes by them.
  const { renamed, calledAnew } = await refreshEntities(tx, workspaceId, [...entityIds])
  const turned = await deriveEdges(tx, owner, { triples, renamed }, new Date())
  for (const category of await categoriesOf(tx, workspaceId, turned.memoryIds)) categories.add(category)
  const beside = await neighboursOf(tx, workspaceId, calledAnew)
  await describeEntities(tx, workspaceId, [...new Set([...turned.entityIds, ...beside])])
  await publishFactsChanged(tx, events, owner, categories)
}
