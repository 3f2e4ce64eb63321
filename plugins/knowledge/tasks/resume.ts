import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { hasFeature, tasksOf } from 'mneme/plugin'
import { graphFacts } from '../../graph/contract.ts'
import { compileJob, compileSoon } from '../compilation/schedule.ts'
import {
  EVERY_CATEGORY,
  findForgotten,
  findImprovable,
  type Improvable,
  markImprovable,
  renewMarks,
  type UserOf,
} from '../queries/changes.ts'
import { FEATURE, type KnowledgeScope } from '../scope.ts'
import { WAITS_MAX } from '../settings.ts'

/** Longer than any pause between two attempts of a job, so that one that is being tried again is left alone. */
const QUIET_MS = 300_000
const USERS_MAX = 500
/** A user that cannot be queued is held back apart from one that cannot be marked. */
const QUEUE = 'knowledge:queue'

/** Users that one run looks at who may have changed while nobody listened. */
const PENDING_MAX = 500

/**
 * A safety net below the jobs: changes that wait although nothing compiles them are queued again, and entries that a model was
 * not there for are queued once it may be. What changed in the graph while this plugin was switched off, or not in the plan, is compiled.
 */
export const resumeTask = tasksOf<KnowledgeScope>()({
  name: 'knowledge:resume',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    const now = new Date()
    const before = new Date(now.getTime() - QUIET_MS - WAITS_MAX * scope.debounceMs)
    await queueForgotten(scope, before, now, signal)
    await compilePending(scope, new Date(now.getTime() - QUIET_MS), signal)
  },
})

async function queueForgotten(
  { database, quarantine, jobs }: KnowledgeScope,
  before: Date,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const forgotten = await database.system(tx => findForgotten(tx, quarantine, QUEUE, before, USERS_MAX))
  const improvable = await database.system(tx => findImprovable(tx, quarantine, QUEUE, now, USERS_MAX))
  await quarantine.sweep<UserOf & Partial<Improvable>>({
    name: QUEUE,
    items: [...forgotten, ...improvable],
    workspaceOf: user => user.workspaceId,
    idOf: user => user.userId,
    signal,
    work: (workspaceId, users) =>
      database.workspace(workspaceId, async tx => {
        const userIds = [...new Set(users.map(({ userId }) => userId))]
        const entryIds = users.flatMap(user => user.entryIds ?? [])
        await markImprovable(tx, workspaceId, entryIds, now)
        await renewMarks(tx, workspaceId, userIds)
        await jobs.enqueue(
          tx,
          userIds.map(userId => compileJob(workspaceId, userId)),
        )
      }),
  })
}

/** Begins at any workspace, so that those that are left out never stand in the way of the others. */
async function compilePending(scope: KnowledgeScope, before: Date, signal: AbortSignal): Promise<void> {
  const { database, quarantine, wiring, tenants } = scope
  const facts = wiring.use(graphFacts)
  const from = randomUUID()
  const changed = await database.system(async tx => {
    const after = await facts.pendingUsers(tx, { before, from, limit: PENDING_MAX })
    if (after.length === PENDING_MAX) return after
    return [...after, ...(await facts.pendingUsers(tx, { before, from: LEAST, limit: PENDING_MAX - after.length }))]
  })
  await quarantine.sweep({
    name: 'knowledge:resume',
    items: changed,
    workspaceOf: user => user.workspaceId,
    idOf: user => user.userId,
    signal,
    async work(workspaceId, users) {
      const workspace = await tenants.find(workspaceId)
      if (!workspace || !hasFeature(workspace, FEATURE)) return
      for (const { userId, changedAt } of users) {
        await database.workspace(workspaceId, async tx => {
          await compileSoon(tx, scope, workspaceId, userId, [EVERY_CATEGORY])
          await facts.acknowledge(tx, workspaceId, userId, changedAt)
        })
      }
    },
  })
}

const LEAST = '00000000-0000-0000-0000-000000000000'
