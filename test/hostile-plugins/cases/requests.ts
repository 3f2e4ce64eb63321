import { definePort, download, type Events, type JobQueue, type Tenant, type Wiring } from 'mneme/plugin'
import { ok, plugin, Type } from './parts.ts'

interface Scope {
  readonly events: Events
  readonly jobs: JobQueue
  readonly wiring: Wiring
}

interface Input {
  readonly tenant: Tenant
  readonly scope: Scope
}

/** A request to a hostile handler ends so. */
export interface HostileHandler {
  readonly what: string
  readonly handle: (input: Input) => unknown
  readonly code: 'INTERNAL_ERROR' | 'RESPONSE_TOO_LARGE'
  /** Stands in the log, with the plugin's name. */
  readonly fault: string
}

const MEGABYTE = 'x'.repeat(1_000_000)
const circle: { self?: unknown } = {}
circle.self = circle

const fails = (what: string, handle: HostileHandler['handle'], fault: string): HostileHandler => ({
  what,
  handle,
  code: 'INTERNAL_ERROR',
  fault,
})

export const hostileHandlers: readonly HostileHandler[] = [
  fails('throws what is no error', () => Promise.reject('the moon is down'), 'the moon is down'),
  fails('returns nothing', () => undefined, 'returned undefined; return ok(body)'),
  fails('returns a status that is none', () => ({ status: 7, body: {} }), 'returned an object; return ok(body)'),
  fails('answers with a circle', () => ok(circle), 'cannot be written as JSON: TypeError'),
  fails('answers with what JSON has no form for', () => ok({ n: 1n }), 'cannot be written as JSON: TypeError'),
  fails('answers with a function', () => ok(() => 1), 'cannot be written as JSON: it is a function'),
  fails('sends a header of two lines', () => ({ status: 200, body: {}, headers: { 'x-a': 'b\r\nc: d' } }), 'eader'),
  {
    what: 'answers with hundreds of megabytes',
    handle: () => ok({ pages: Array.from({ length: 400 }, () => MEGABYTE) }),
    code: 'RESPONSE_TOO_LARGE',
    fault: 'larger than 64000000 bytes; answer in pages or with a download',
  },
  fails(
    'publishes an event that it does not declare',
    ({ tenant, scope }) =>
      tenant.transaction(async tx => {
        const event = { kind: 'rogue.maed', workspaceId: tenant.workspaceId, subjectId: null, userId: null, data: {} }
        await scope.events.publish(tx, [event])
        return ok({})
      }),
    'plugin rogue: publishes the event rogue.maed, which is not in its `emits`; did you mean rogue.made?',
  ),
  fails(
    'publishes an event of another plugin',
    ({ tenant, scope }) =>
      tenant.transaction(async tx => {
        const { workspaceId } = tenant
        await scope.events.publish(tx, [
          { kind: 'memory.created', workspaceId, subjectId: null, userId: null, data: {} },
        ])
        return ok({})
      }),
    'plugin rogue: publishes the event memory.created, which is not in its `emits`; it belongs to plugin memories',
  ),
  fails(
    'adds a job that nobody does',
    ({ tenant, scope }) =>
      tenant.transaction(async tx => {
        await scope.jobs.enqueue(tx, [{ task: 'rogue:nothing', payload: {} }])
        return ok({})
      }),
    'plugin rogue: enqueues the task rogue:nothing, which no loaded plugin has',
  ),
  fails(
    'uses a port that nobody provides',
    ({ scope }) => ok(scope.wiring.use(definePort('nobody.here'))),
    'plugin rogue: no loaded plugin provides the port nobody.here; require the one that does',
  ),
  fails(
    'opens a download that fails at once',
    () =>
      download({
        contentType: 'text/plain',
        size: 5,
        open: () => {
          throw new Error('the shelf is empty')
        },
      }),
    'the shelf is empty',
  ),
]

const route = (path: string, handle: (input: Input) => unknown, parts: Record<string, unknown> = {}) => ({
  method: 'GET',
  path,
  access: 'anyKey',
  summary: 'Go wrong',
  responses: { 200: Type.Unknown() },
  handle,
  ...parts,
})

/** Never settles. */
export const forEver = () => new Promise<never>(() => undefined)

/** Goes wrong in every way that a handler can. */
export const roguePlugin = plugin('rogue', {
  emits: [{ kind: 'rogue.made', description: 'Made.', public: false }],
  routes: [
    ...hostileHandlers.map(({ handle }, n) => route(`/v1/x/rogue/${n}`, handle)),
    route('/v1/x/rogue/hangs', forEver),
    route('/v1/x/rogue/undocumented', () => ({ status: 418, body: {} })),
    route('/v1/x/rogue/well', () => ok({ well: true })),
  ],
  setup: ({ events, jobs, wiring }: Scope) => ({ scope: { events, jobs, wiring } }),
})
