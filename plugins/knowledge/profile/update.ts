import type { Tx } from 'mneme/plugin'
import { v7 as uuidv7 } from 'uuid'
import type { Facts, ProfileFacts } from '../compilation/facts.ts'
import { onOneLine } from '../document/wording.ts'
import { moveSources } from '../queries/save.ts'
import { memoriesOf, type Portrait, portraitOf } from './portrait.ts'
import { deleteProfile, findProfile, saveProfile } from './store.ts'

/** Draws the user's profile anew, and writes it where it is another. Its memories have to be held. */
export async function updateProfile(
  tx: Tx,
  workspaceId: string,
  userId: string,
  { entities }: Facts,
  { statements, relations, entityCount }: ProfileFacts,
): Promise<void> {
  const facts = relations.map(({ type, name, memoryIds }) => ({ type, target: onOneLine(name), memories: memoryIds }))
  const portrait = portraitOf({ userId, statements, entities, facts })
  const stored = await findProfile(tx, workspaceId, userId)
  const before = stored ? memoriesOf(stored.portrait) : []
  if (!portrait) {
    if (!stored) return
    await Promise.all([deleteProfile(tx, workspaceId, stored.id), moveSources(tx, workspaceId, stored.id, before, [])])
    return
  }
  if (stored && stored.entityCount === entityCount && keyOf(stored.portrait) === keyOf(portrait)) return
  const id = stored?.id ?? uuidv7()
  await saveProfile(tx, workspaceId, { id, userId, portrait, entityCount, extractedAt: new Date() })
  await moveSources(tx, workspaceId, id, before, memoriesOf(portrait))
}

/** Equal for equal portraits, whatever the order of keys, which Postgres sorts in what it keeps. */
function keyOf({ name, facts, sentences, topics }: Portrait): string {
  return JSON.stringify([
    name && [name.text, name.memories],
    facts.map(({ type, target, memories, namedBy }) => [type, target, memories, namedBy]),
    sentences.map(({ text, memories }) => [text, memories]),
    topics.map(({ name: topic, memories, isCategory }) => [topic, memories, isCategory]),
  ])
}
