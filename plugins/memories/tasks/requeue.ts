import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import { lengthClass } from '../processing/priority.ts'
import { singleJob } from '../processing/queueing.ts'
import { findStalledErasures } from '../queries/erasures.ts'
import { claimStuck, findStuck, type StuckMemory } from '../queries/processing.ts'
import type { MemoriesScope } from '../scope.ts'
import { eraseUserJob } from './erase-user.ts'

const task = tasksOf<MemoriesScope>()

const NAME = 'memories:requeue'
/** The time exceeds any pause between two attempts, each of which counts as progress, so memories being retried are left alone. */
const QUIET_SECONDS = 120
const LIMIT = 1000
/** An erasure notes its progress less often than a memory. */
const STALLED_MINUTES = 30
/** Each run brings this many long texts forward, the longest waiting first: a few seconds of work for a model. */
const FORWARD = 8

/**
 * A safety net for jobs, which are normally queued in the transaction of their memory: memories without progress are queued again, at the
 * place their waiting time gives them, so a long queue keeps its order. Long texts stay behind ordinary ones except for a few per run, so
 * they progress under any load without delaying others for long.
 */
export const requeueTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, jobs }, signal }) {
    let forward = FORWARD
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => findStuck(tx, quarantine, NAME, QUIET_SECONDS, LIMIT)),
      workspaceOf: memory => memory.workspaceId,
      idOf: memory => memory.id,
      signal,
      async work(workspaceId, own) {
        const ids = own.map(({ id }) => id)
        const queued = await database.workspace(workspaceId, async tx => {
          const stuck = await claimStuck(tx, workspaceId, ids, QUIET_SECONDS)
          const ahead = new Set(stuck.filter(isLong).slice(0, forward))
          await jobs.enqueue(
            tx,
            stuck.map(memory => jobOf(memory, ahead.has(memory))),
          )
          return ahead.size
        })
        forward -= queued
      },
    })
    await database.system(async tx => {
      const stalled = await findStalledErasures(tx, STALLED_MINUTES, LIMIT)
      await jobs.enqueue(
        tx,
        stalled.map(({ workspaceId, id }) => eraseUserJob(workspaceId, id)),
      )
    })
  },
})

function isLong({ characters }: StuckMemory): boolean {
  return lengthClass(characters) > 0
}

function jobOf({ workspaceId, id, revision, waitingSince, characters }: StuckMemory, isAhead: boolean): NewJob {
  const job = singleJob({ workspace_id: workspaceId, memory_id: id, revision, characters })
  return { ...job, runAt: waitingSince, ...(isAhead ? { priority: 0 } : {}) }
}
