import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { findExpired, markExpired } from '../queries/expiry.ts'
import type { MemoriesScope } from '../scope.ts'
import { announceExpired } from '../storing/announce.ts'

const task = tasksOf<MemoriesScope>()

/** A round sweeps this many memories; rounds follow until none is left or the task's time is used up. */
const ROUND = 1000
const ROUNDS_MAX = 50

const NAME = 'memories:expire'

/** Marks expired TASK memories and publishes their expiry; lists and search hide them already. */
export const expireTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope, signal }) {
    const { database, quarantine } = scope
    for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round++) {
      const found = await database.system(tx => findExpired(tx, quarantine, NAME, ROUND))
      await quarantine.sweep({
        name: NAME,
        items: found,
        workspaceOf: memory => memory.workspaceId,
        idOf: memory => memory.id,
        signal,
        work: (workspaceId, own) =>
          database.workspace(workspaceId, async tx => {
            const ids = own.map(({ id }) => id)
            await announceExpired(tx, scope, workspaceId, await markExpired(tx, workspaceId, ids))
          }),
      })
      if (found.length < ROUND) return
    }
  },
})
