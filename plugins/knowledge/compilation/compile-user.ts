import type { Tx } from '../../../core/db/database.ts'
import { graphFacts } from '../../graph/contract.ts'
import { STATEMENTS_MAX } from '../document/compose.ts'
import { type EntryChange, updatedEvents } from '../events.ts'
import { updateProfile } from '../profile/update.ts'
import { EVERY_CATEGORY, findChanges, lockUser, markChanged, takeChanges } from '../queries/changes.ts'
import { categoriesOfUser, holdEntriesOfUser } from '../queries/entries.ts'
import type { KnowledgeScope } from '../scope.ts'
import { type Draft, versionFor, writeVersion } from './entry.ts'
import { holdFacts } from './facts.ts'
import { compileJob } from './schedule.ts'

/** Categories that one transaction compiles; those left are the next job's. */
const CATEGORIES_MAX = 8

/** Compiles what changed of a user: documents, profile, and one event for all of it. */
export async function compileUser(
  scope: Pick<KnowledgeScope, 'database' | 'wiring' | 'events' | 'jobs'>,
  workspaceId: string,
  userId: string,
  drafts: ReadonlyMap<string, Draft> = new Map(),
): Promise<readonly EntryChange[]> {
  const { database, wiring, events, jobs } = scope
  return database.workspace(workspaceId, async tx => {
    await lockUser(tx, workspaceId, userId)
    const categories = await takeCategories(tx, scope, workspaceId, userId)
    if (categories.length === 0) return []
    const facts = await holdFacts(tx, wiring, userId, categories)
    const entries = await holdEntriesOfUser(tx, workspaceId, userId, categories)
    const changes: EntryChange[] = []
    for (const category of categories) {
      const entry = entries.find(other => other.category === category)
      const statements = facts.statements.get(category) ?? []
      const input = { category, statements, entities: facts.entities, entry, draft: drafts.get(category) }
      const change = await writeVersion(tx, workspaceId, userId, entry, versionFor(input))
      if (change) changes.push(change)
    }
    await updateProfile(tx, wiring, workspaceId, userId, facts.entities)
    await events.publish(tx, updatedEvents(workspaceId, userId, changes))
    const left = await findChanges(tx, workspaceId, userId, 1)
    if (left.length > 0) await jobs.enqueue(tx, [compileJob(workspaceId, userId, new Date())])
    return changes
  })
}

/** The categories whose turn it is; their marks are taken off. A mark for all becomes one for each. */
export async function takeCategories(
  tx: Tx,
  { wiring }: Pick<KnowledgeScope, 'wiring'>,
  workspaceId: string,
  userId: string,
): Promise<readonly string[]> {
  const marked = await findChanges(tx, workspaceId, userId, CATEGORIES_MAX + 1)
  if (marked.includes(EVERY_CATEGORY)) {
    const [entries, statements] = await Promise.all([
      categoriesOfUser(tx, workspaceId, userId),
      wiring.use(graphFacts).statements(tx, { userId, limit: STATEMENTS_MAX }),
    ])
    const all = [...new Set([...entries, ...statements.flatMap(({ categories }) => categories)])]
    await takeChanges(tx, workspaceId, userId, [EVERY_CATEGORY])
    await markChanged(tx, workspaceId, userId, all, new Date())
    return takeCategories(tx, { wiring }, workspaceId, userId)
  }
  const turn = marked.slice(0, CATEGORIES_MAX)
  if (turn.length > 0) await takeChanges(tx, workspaceId, userId, turn)
  return turn
}
