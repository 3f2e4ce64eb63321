import { Type } from '@sinclair/typebox'
import {
  addCounts,
  dataSubjects,
  failureReason,
  type NewJob,
  type RowCounts,
  type SubjectRows,
  snoozeFor,
  type Tenant,
  type Tx,
  tasksOf,
} from 'mneme/plugin'
import { memoryClearing, userErasers } from '../contract.ts'
import {
  completeErasure,
  type Erasure,
  failErasure,
  findErasure,
  lockErasure,
  noteProgress,
} from '../queries/erasures.ts'
import { lockInScope } from '../queries/remove.ts'
import { removeMemories } from '../removing/remove.ts'
import type { MemoriesScope } from '../scope.ts'

const NAME = 'memories:erase-user'

/** Memories go as any deletion removes them, because indexes, graph and figures have to follow. */
export const memorySubjects: readonly SubjectRows[] = [
  {
    table: 'memories.memory',
    column: 'user_id',
    instead: 'own',
    parts: [{ table: 'memories.history', column: 'memory_id' }],
  },
  // It says whose erasure is under way, and forgets that as it ends: no row of it is anything that was kept of the user.
  { table: 'memories.erasure', column: 'user_id', where: 'false', instead: 'own' },
]

/** A transaction removes so many memories: on the embedded database everybody waits for it. */
const PART = 50
/** The last transaction, for which writers of the user wait, removes at most so many; more are removed before it in turn. */
const LAST_MAX = 500

/** Others are asked whether they are done at first at once, later after a tenth of the time that was waited for. */
const ASKED_MS = { least: 300, most: 60_000 }

export function eraseUserJob(workspaceId: string, id: string): NewJob {
  return { task: NAME, key: `${NAME}:${id}`, payload: { workspace_id: workspaceId, erasure_id: id } }
}

/**
 * Erases a user. What is there is counted, then removed: memories as a deletion removes them, then the rows that the manifests of all plugins
 * name, events last, once nobody waits to hear of them. A last transaction, for which writers of the user wait, removes what came meanwhile
 * and tells of the end. Each step may be repeated, so a process may die anywhere in between.
 */
export const eraseUserTask = tasksOf<MemoriesScope>()({
  name: NAME,
  payload: Type.Object({ workspace_id: Type.String(), erasure_id: Type.String() }),
  maxAttempts: 10,
  timeLimitMs: 60 * 60_000,
  async run({ payload: { workspace_id: workspaceId, erasure_id: id }, scope, signal, waitingSince }) {
    if (!(await scope.tenants.find(workspaceId))) return
    const tenant = await scope.tenants.tenant(workspaceId)
    const erasure = await tenant.transaction(tx => findErasure(tx, workspaceId, id))
    if (!erasure || erasure.userId === null) return
    const work: Work = { scope, tenant, id, userId: erasure.userId, signal }
    if (erasure.stage === null) await countAll(work)
    if (erasure.stage !== 'removed') await removeAll(work)
    if (!(await areOthersDone(work))) {
      const waitedMs = waitingSince ? Date.now() - waitingSince.getTime() : 0
      return snoozeFor(Math.min(ASKED_MS.most, Math.max(ASKED_MS.least, waitedMs / 10)))
    }
    const blanked = await subjectsOf(work).eraseEvents(workspaceId, work.userId, signal)
    if (!(await end(work, blanked))) return snoozeFor(0, { progressed: true })
  },
  async exhausted({ payload: { workspace_id: workspaceId, erasure_id: id }, scope, maxAttempts }, error) {
    const { database } = scope
    await database.workspace(workspaceId, tx =>
      failErasure(tx, workspaceId, id, failureReason('The erasure', maxAttempts, error)),
    )
  },
})

interface Work {
  readonly scope: MemoriesScope
  readonly tenant: Tenant
  readonly id: string
  readonly userId: string
  readonly signal: AbortSignal
}

const subjectsOf = ({ scope }: Work) => scope.wiring.use(dataSubjects)
const scopeOf = (userId: string) => ({ userId, agentId: undefined, sessionId: undefined })

async function countAll(work: Work): Promise<void> {
  const { tenant, id, userId } = work
  const { workspaceId } = tenant
  await tenant.transaction(async tx => {
    const receipt = await subjectsOf(work).count(tx, workspaceId, userId)
    await noteProgress(tx, workspaceId, id, { stage: 'found', receipt })
  })
}

async function removeAll(work: Work): Promise<void> {
  const { scope, tenant, id, userId, signal } = work
  const { workspaceId, transaction } = tenant
  await transaction(tx => discardInput(tx, work))
  let ids: readonly string[]
  do {
    signal.throwIfAborted()
    ids = await transaction(async tx => {
      const next = await lockInScope(tx, workspaceId, scopeOf(userId), undefined, PART)
      await removeMemories(tx, scope, workspaceId, next)
      return next
    })
    // Whoever goes on writing must not keep it from its end, which takes what came meanwhile.
  } while (ids.length === PART)
  const erased = await subjectsOf(work).erase(workspaceId, userId, signal)
  await transaction(async tx => {
    for (const eraser of scope.wiring.extensions(userErasers)) await eraser.begin?.(tx, workspaceId, userId)
    const erasure = await lockErasure(tx, workspaceId, id)
    if (erasure)
      await noteProgress(tx, workspaceId, id, { stage: 'removed', receipt: atLeast(erasure.receipt, erased) })
  })
}

/** Rows that came after the count were removed with the others. */
function atLeast(found: RowCounts, erased: RowCounts): RowCounts {
  const more = Object.entries(erased).map(([table, count]) => [table, Math.max(count, found[table] ?? 0)])
  return { ...found, ...Object.fromEntries(more) }
}

/** Conversations, documents and imports that wait bring nothing back. */
async function discardInput(tx: Tx, { scope, tenant: { workspaceId }, userId }: Work): Promise<void> {
  for (const hook of scope.wiring.extensions(memoryClearing)) await hook.cleared(tx, workspaceId, scopeOf(userId))
}

async function areOthersDone(work: Work): Promise<boolean> {
  const { scope, tenant, id, userId } = work
  const { workspaceId, transaction } = tenant
  const erasure = await transaction(tx => findErasure(tx, workspaceId, id))
  const removedAt = erasure?.removedAt
  if (!removedAt || (await subjectsOf(work).isAwaited(workspaceId, userId, removedAt))) return false
  return transaction(async tx => {
    for (const eraser of scope.wiring.extensions(userErasers)) {
      if (!((await eraser.isDone?.(tx, workspaceId, userId, removedAt)) ?? true)) return false
    }
    return true
  })
}

/** @returns false where so much came meanwhile that it has to be removed first */
function end(work: Work, blanked: RowCounts): Promise<boolean> {
  const { scope, tenant, id, userId } = work
  const { workspaceId } = tenant
  const subjects = subjectsOf(work)
  return tenant.transaction(async tx => {
    const erasure = await lockErasure(tx, workspaceId, id)
    if (!erasure) return true
    await subjects.holdWriters(tx, workspaceId, userId)
    const ids = await lockInScope(tx, workspaceId, scopeOf(userId), undefined, LAST_MAX + 1)
    if (ids.length > LAST_MAX) {
      await noteProgress(tx, workspaceId, id, { stage: 'found', receipt: erasure.receipt })
      return false
    }
    await discardInput(tx, work)
    const removed = await removeMemories(tx, scope, workspaceId, ids)
    const rest = await subjects.eraseRest(tx, workspaceId, userId)
    for (const eraser of scope.wiring.extensions(userErasers)) await eraser.end?.(tx, workspaceId, userId)
    const receipt = [atLeast(erasure.receipt, blanked), rest, { 'memories.memory': removed.length }].reduce(addCounts)
    await tell(tx, work, receipt)
    await completeErasure(tx, workspaceId, id, receipt)
    return true
  })
}

/** Receivers learn who was erased, to do the same; the log of events keeps no more than that somebody was. */
async function tell(tx: Tx, work: Work, receipt: RowCounts): Promise<void> {
  const { scope, tenant, id, userId } = work
  const { workspaceId } = tenant
  const data = { user_id: userId, receipt }
  await scope.events.publish(tx, [{ kind: 'user.erased', workspaceId, subjectId: id, userId, data }])
  await subjectsOf(work).eraseRest(tx, workspaceId, userId)
}

/** Shows an erasure in responses. */
export function toErasure({ id, userId, digest, status, receipt, error, createdAt, completedAt }: Erasure) {
  return {
    id,
    user_id: userId ?? digest,
    status,
    receipt: status === 'COMPLETED' ? { ...receipt } : null,
    error,
    created_at: createdAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
  }
}
