import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import { catchUpPage } from '../catch-up/pass.ts'
import { dueParts } from '../catch-up/state.ts'
import { memoryParts } from '../contract.ts'
import type { MemoriesScope } from '../scope.ts'

const TASK = 'memories:catch-up'
/** A short slice frees the worker for other jobs and ends in time when its process stops. */
const SLICE_MS = 1_000
/** A part without capacity is asked again after this delay. */
const LATER_MS = 2_000

/** The job has the lowest priority, so it runs after all others. */
export function catchUpJob(inMs = 0): NewJob {
  return { task: TASK, key: TASK, payload: {}, priority: 9, inMs }
}

/** Backfills, in short slices, what memories lack because a plugin was absent when they were stored. */
export const catchUpTask = tasksOf<MemoriesScope>()({
  name: TASK,
  payload: Type.Object({}),
  async run({ scope, signal }) {
    const parts = new Map(scope.wiring.extensions(memoryParts).map(part => [part.id, part]))
    const due = await scope.database.system(tx => dueParts(tx, [...parts.keys()]))
    const until = performance.now() + SLICE_MS
    let next: number | undefined
    for (const part of due.flatMap(id => parts.get(id) ?? [])) {
      let outcome: 'over' | 'more' | 'later' = 'more'
      while (outcome === 'more' && performance.now() < until && !signal.aborted) {
        outcome = await catchUpPage(scope, part, signal)
      }
      if (outcome === 'more') next = 0
      if (outcome === 'later') next ??= LATER_MS
    }
    const inMs = next
    if (inMs !== undefined) await scope.database.system(tx => scope.jobs.enqueue(tx, [catchUpJob(inMs)]))
  },
})
