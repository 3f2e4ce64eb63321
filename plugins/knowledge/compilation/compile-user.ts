import type { Tx } from 'mneme/plugin'
import { v7 as uuidv7 } from 'uuid'
import { graphFacts } from '../../graph/contract.ts'
import type { Composed } from '../document/compose.ts'
import { onOneLine } from '../document/wording.ts'
import { type EntryChange, updatedEvents } from '../events.ts'
import type { Portrait } from '../profile/portrait.ts'
import { memoriesOf, portraitOf } from '../profile/portrait.ts'
import { deleteProfile, findProfile, saveProfile } from '../profile/store.ts'
import { writeDrafts } from '../prose/write-drafts.ts'
import { EVERY_CATEGORY, findChanges, lockUser, markChanged, takeChanges } from '../queries/changes.ts'
import { categoriesOfUser, holdEntriesOfUser } from '../queries/entries.ts'
import { moveSources } from '../queries/save.ts'
import type { KnowledgeScope } from '../scope.ts'
import { type Draft, versionFor, writeVersion } from './entry.ts'
import type { Facts, ProfileFacts } from './facts.ts'
import { composeCategories, holdFactsWithProfile } from './facts.ts'
import { compileJob, compileSoon } from './schedule.ts'

/** Categories that one transaction compiles; those left are the next job's. */
const CATEGORIES_MAX = 8

type Services = Pick<
  KnowledgeScope,
  'database' | 'wiring' | 'events' | 'jobs' | 'background' | 'language' | 'debounceMs'
>

/** Compiles what changed of a user: documents, profile, and one event for all of it. */
export async function compileUser(
  scope: Services,
  workspaceId: string,
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  const categories = await scope.database.workspace(workspaceId, tx => findTurn(tx, scope, workspaceId, userId))
  if (categories.length === 0) return
  const read = <T>(work: (tx: Tx) => Promise<T>) => scope.database.workspace(workspaceId, work)
  const ahead = await composeCategories(read, scope.wiring, userId, categories)
  // Those that are too much for one transaction are left to the next job.
  const turn = [...ahead.keys()]
  const drafts = await writeDrafts(scope, workspaceId, userId, turn, signal)
  await scope.background.run(() =>
    scope.database.workspace(workspaceId, tx => compile(tx, scope, { workspaceId, userId, turn, drafts, ahead })),
  )
}

/** The categories whose turn it is. A mark for all becomes one for each. */
async function findTurn(tx: Tx, { wiring }: Services, workspaceId: string, userId: string): Promise<readonly string[]> {
  const marked = await findChanges(tx, workspaceId, userId, CATEGORIES_MAX)
  if (!marked.includes(EVERY_CATEGORY)) return marked
  const [entries, stated] = await Promise.all([
    categoriesOfUser(tx, workspaceId, userId),
    wiring.use(graphFacts).categories(tx, userId),
  ])
  const all = [...new Set([...entries, ...stated])]
  await takeChanges(tx, workspaceId, userId, [EVERY_CATEGORY])
  if (all.length > 0) await markChanged(tx, workspaceId, userId, all)
  return findChanges(tx, workspaceId, userId, CATEGORIES_MAX)
}

interface Turn {
  readonly workspaceId: string
  readonly userId: string
  readonly turn: readonly string[]
  readonly drafts: ReadonlyMap<string, Draft>
  readonly ahead: ReadonlyMap<string, Composed>
}

async function compile(tx: Tx, scope: Services, { workspaceId, userId, turn, drafts, ahead }: Turn): Promise<void> {
  const { wiring, events, jobs } = scope
  await lockUser(tx, workspaceId, userId)
  // Another job may have been faster.
  const categories = await takeChanges(tx, workspaceId, userId, turn)
  if (categories.length === 0) return
  const { facts, profile } = await holdFactsWithProfile(tx, wiring, userId, categories)
  const entries = await holdEntriesOfUser(tx, workspaceId, userId, categories)
  const changes: EntryChange[] = []
  const outdated: string[] = []
  for (const category of categories) {
    const entry = entries.find(other => other.category === category)
    const statements = facts.statements.get(category) ?? []
    const draft = drafts.get(category)
    const made = { draft, ahead: ahead.get(category) }
    const version = versionFor({ category, statements, entities: facts.entities, entry, ...made })
    if (draft && draft.fingerprint !== version.fingerprint) outdated.push(category)
    const change = await writeVersion(tx, workspaceId, userId, entry, version)
    if (change) changes.push(change)
  }
  await updateProfile(tx, workspaceId, userId, facts, profile)
  await events.publish(tx, updatedEvents(workspaceId, userId, changes))
  const left = await findChanges(tx, workspaceId, userId, 1)
  // The change that outdated a draft has been taken with the older ones, so that nothing else would have a model write again.
  if (outdated.length > 0) await compileSoon(tx, scope, workspaceId, userId, outdated)
  if (left.length > 0) await jobs.enqueue(tx, [compileJob(workspaceId, userId)])
}

/** Draws the user's profile anew, and writes it where it is another. Its memories have to be held. */
async function updateProfile(
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
