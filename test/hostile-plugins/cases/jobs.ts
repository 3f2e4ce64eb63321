import type { Database, JobQueue } from 'mneme/plugin'
import { plugin, Type, task } from './parts.ts'
import { forEver } from './requests.ts'

/** Ends when the test says so. */
export interface Meal {
  readonly opened: Promise<void>
  running: number
  most: number
  eaten: number
}

interface Lent {
  readonly jobs: JobQueue
  readonly database: Database
}

/** Adds more jobs than there are places, each of which takes as long as it likes; and others that go wrong in their own ways. */
export function gluttonPlugin(meal: Meal, lend: (lent: Lent) => void) {
  return plugin('glutton', {
    tasks: [
      task('glutton:eat', {
        async run() {
          meal.most = Math.max(meal.most, ++meal.running)
          await meal.opened
          meal.running--
          meal.eaten++
        },
      }),
      task('glutton:deaf', { timeLimitMs: 20, backoff: { delaysMs: [3_600_000] }, run: forEver }),
      task('glutton:odd', { run: async () => 'done' }),
      task('glutton:sick', { maxAttempts: 1, run: () => Promise.reject('ill') }),
      task('glutton:picky', { payload: Type.Object({ dish: Type.String() }) }),
    ],
    subscriptions: [
      { event: 'memory.created', name: 'throw', handle: () => Promise.reject(new Error('deaf in both ears')) },
      { event: 'memory.created', name: 'hang', handle: forEver },
    ],
    setup: ({ jobs, database }: Lent) => {
      lend({ jobs, database })
      return { scope: null }
    },
  })
}
