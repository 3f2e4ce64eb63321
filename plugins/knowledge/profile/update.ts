import { v7 as uuidv7 } from 'uuid'
import type { Tx } from '../../../core/db/database.ts'
import type { Wiring } from '../../../core/ports.ts'
import { graphFacts, type KnownEntity } from '../../graph/contract.ts'
import { memoryReader } from '../../memories/contract.ts'
import { onOneLine } from '../document/wording.ts'
import { moveSources } from '../queries/save.ts'
import { memoriesOf, type Portrait, portraitOf, withoutUnsaid } from './portrait.ts'
import { deleteProfile, findProfile, saveProfile } from './store.ts'

/** Statements, the newest, that a profile is drawn from. */
const STATEMENTS_MAX = 300
/** Relationships of the user's own, the strongest, that it may tell. */
const RELATIONS_MAX = 40

/** Draws the user's profile anew, and writes it where it is another. */
export async function updateProfile(
  tx: Tx,
  wiring: Wiring,
  workspaceId: string,
  userId: string,
  entities: readonly KnownEntity[],
): Promise<void> {
  const [drawn, entityCount, stored] = await Promise.all([
    draw(tx, wiring, userId, entities),
    wiring.use(graphFacts).countEntities(tx, userId),
    findProfile(tx, workspaceId, userId),
  ])
  if (!drawn) {
    if (!stored) return
    await Promise.all([
      deleteProfile(tx, workspaceId, stored.id),
      moveSources(tx, workspaceId, stored.id, memoriesOf(stored.portrait), []),
    ])
    return
  }
  const isSame = stored && stored.entityCount === entityCount && same(stored.portrait, drawn)
  if (isSame) return
  const id = stored?.id ?? uuidv7()
  await saveProfile(tx, workspaceId, { id, userId, portrait: drawn, entityCount, extractedAt: new Date() })
  await moveSources(tx, workspaceId, id, stored ? memoriesOf(stored.portrait) : [], memoriesOf(drawn))
}

async function draw(
  tx: Tx,
  wiring: Wiring,
  userId: string,
  entities: readonly KnownEntity[],
): Promise<Portrait | undefined> {
  const graph = wiring.use(graphFacts)
  const [statements, relations] = await Promise.all([
    graph.statements(tx, { userId, limit: STATEMENTS_MAX }),
    graph.relations(tx, { userId, limit: RELATIONS_MAX }),
  ])
  const facts = relations.map(({ type, name, memoryIds }) => ({ type, target: onOneLine(name), memories: memoryIds }))
  const portrait = portraitOf({ userId, statements, entities, facts })
  if (!portrait) return undefined
  // As for documents: what is being deleted at this moment is left out, and what is used cannot be deleted unnoticed.
  const used = memoriesOf(portrait)
  const held = new Set(await wiring.use(memoryReader).visible(tx, used, 'held'))
  return withoutUnsaid(portrait, id => held.has(id))
}

/** Key by key, as Postgres sorts the keys of what it keeps. */
function same(a: Portrait, b: Portrait): boolean {
  return keyOf(a) === keyOf(b)
}

function keyOf({ name, facts, sentences, topics }: Portrait): string {
  return JSON.stringify([
    name && [name.text, name.memories],
    facts.map(({ type, target, memories }) => [type, target, memories]),
    sentences.map(({ text, memories }) => [text, memories]),
    topics.map(({ name: topic, memories }) => [topic, memories]),
  ])
}
