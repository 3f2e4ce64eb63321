import { readFile } from 'node:fs/promises'
import {
  type Database,
  definePlugin,
  type Events,
  extend,
  type JobQueue,
  noContent,
  ok,
  routesOf,
  type Tenant,
  Type,
  tasksOf,
} from 'mneme/plugin'
import { memoryIntake } from 'mneme/plugin/memories'

interface Scope {
  readonly database: Database
  readonly events: Events
  readonly jobs: JobQueue
}

const rejects = () => void Promise.reject(new Error('rejected'))
const throws = () =>
  void setTimeout(() => {
    throw new Error('thrown in a timer')
  }, 1)

/** Ways for a request to leave an error behind that nobody can catch any more. */
const FAULTS: Readonly<Record<string, (scope: Scope, tenant: Tenant) => unknown>> = {
  query: ({ database }) => void database.system(tx => tx`select * from nowhere_at_all`),
  tenant: (_, tenant) => void tenant.transaction(async tx => tx.unsafe('select * from nowhere_at_all')),
  rejection: rejects,
  timer: throws,
  file: () => void readFile('/no/such/file'),
}

/** Parts that leave one behind the next time that they run. */
const armed = new Set<string>()

function runs(part: string): void {
  if (!armed.delete(part)) return
  rejects()
  throws()
}

/** An error whose stack says that the kernel alone was at work, as when its driver loses its state. */
function failAsKernel(): void {
  const error = new Error('the books do not balance')
  const place = new URL('../../core/kernel.ts', import.meta.url).pathname
  error.stack = `Error: ${error.message}\n    at balance (${place}:1:1)`
  setTimeout(() => {
    throw error
  }, 1)
}

const route = routesOf<Scope>()
const params = Type.Object({ name: Type.String() })

/** Fails late, in the way that a request asks for, or in the part of it that a request names. */
export default definePlugin({
  id: 'late',
  version: '1.0.0',
  apiVersion: 1,
  requires: ['memories'],
  emits: [{ kind: 'late.asked', description: 'Somebody asked for a fault.', public: false }],
  routes: [
    route({
      method: 'GET',
      path: '/v1/x/late/faults/:name',
      access: 'anyKey',
      summary: 'Fail late',
      params,
      responses: { 200: Type.Object({}) },
      handle({ params: { name }, scope, tenant }) {
        if (name === 'kernel') failAsKernel()
        FAULTS[name]?.(scope, tenant)
        return ok({})
      },
    }),
    route({
      method: 'POST',
      path: '/v1/x/late/parts/:name',
      access: 'anyKey',
      summary: 'Have a part fail late',
      params,
      responses: { 204: null },
      async handle({ params: { name }, scope: { events, jobs }, tenant }) {
        armed.add(name)
        const event = { kind: 'late.asked', workspaceId: tenant.workspaceId, subjectId: null, userId: null, data: {} }
        await tenant.transaction(async tx => {
          if (name === 'subscriber') await events.publish(tx, [event])
          if (name === 'job') await jobs.enqueue(tx, [{ task: 'late:fail', payload: {} }])
        })
        return noContent
      },
    }),
  ],
  tasks: [tasksOf<Scope>()({ name: 'late:fail', payload: Type.Object({}), run: async () => runs('job') })],
  subscriptions: [{ event: 'late.asked', name: 'hear', handle: async () => runs('subscriber') }],
  setup: ({ database, events, jobs, log }) => ({
    scope: { database, events, jobs },
    extensions: [
      extend(memoryIntake, {
        id: 'late',
        review(_, memories) {
          runs('hook')
          return memories.map(() => undefined)
        },
      }),
    ],
    chores: [{ name: 'fail', everyMs: 20, run: async () => runs('chore') }],
    healthChecks: [{ name: 'late:fail', check: async () => runs('check') }],
    stop: async () => log.warn('late was stopped'),
  }),
})
