import { plugin, route, Type, task } from './parts.ts'
import type { Refused } from './refusal.ts'

const wrong = (what: string, parts: Record<string, unknown>, fault: string): Refused => ({
  what,
  plugins: [plugin('alpha', parts)],
  sentence: `plugin alpha: ${fault}`,
})

const wrongRoute = (what: string, parts: Record<string, unknown>, fault: string, path = '/v1/x/alpha/now'): Refused =>
  wrong(what, { routes: [route(path, parts)] }, fault)

/** These manifests are wrong by themselves. */
export const refusedManifests: readonly Refused[] = [
  {
    what: 'an export that is no plugin',
    plugins: [null],
    sentence: 'plugin ./plugin-1.ts: its manifest must be an object, not null',
  },
  {
    what: 'a manifest for another API',
    plugins: [plugin('alpha', { apiVersion: 2 })],
    sentence: 'plugin alpha is written for plugin API 2, this server has 1',
  },
  wrong(
    'a misspelt key of a manifest',
    { subscription: [] },
    'its manifest has the key `subscription`, which nothing reads; did you mean subscriptions?',
  ),
  wrongRoute(
    'a misspelt key of a route',
    { sumary: 'x' },
    'the route GET /v1/x/alpha/now has the key `sumary`, which nothing reads; did you mean summary?',
  ),
  wrongRoute(
    'a route without responses',
    { responses: undefined },
    'the route GET /v1/x/alpha/now lacks `responses`, which must be an object of at least one status with its schema, e.g. { 200: Type.Object({ … }) }',
  ),
  wrongRoute(
    'a route that says nothing of who may call it',
    { access: undefined },
    "the route GET /v1/x/alpha/now lacks `access`, which must be { permission: '…' }, 'anyKey', 'account', 'person' or 'public'",
  ),
  wrongRoute(
    'a route with a permission that nobody declares',
    { access: { permission: 'alpha.raed' } },
    'the route GET /v1/x/alpha/now wants the permission alpha.raed, which no plugin declares; declare it, or load the plugin that does',
  ),
  wrongRoute(
    'a route with an error that nobody declares',
    { errors: ['ALPHA_LOST'] },
    'the route GET /v1/x/alpha/now names the error ALPHA_LOST, which no plugin declares; declare it, or load the plugin that does',
  ),
  wrongRoute(
    'a route with plain JSON Schema',
    { method: 'POST', body: { type: 'object', properties: {} } },
    '`body` of the route POST /v1/x/alpha/now is not a TypeBox schema: build it with Type, plain JSON Schema is not enough',
  ),
  wrongRoute(
    'a route that no request could meet',
    { params: Type.Object({ id: Type.String() }) },
    'the route GET /v1/x/alpha/now wants the parameter id, which its path does not have (as :id)',
  ),
  wrongRoute(
    'a route that would answer for the memories',
    {},
    'the route GET /v1/memories/all must begin with /v1/x/alpha/',
    '/v1/memories/all',
  ),
  wrongRoute(
    'a route that would answer for another third party',
    {},
    'the route GET /v1/x/alphabet/now must begin with /v1/x/alpha/',
    '/v1/x/alphabet/now',
  ),
  wrong(
    'a page outside of its own place',
    { pages: [{ path: '/desk', folder: new URL('.', import.meta.url) }] },
    'the page /desk must be /x/alpha or lie below it',
  ),
  wrong(
    'a schedule of nonsense',
    { tasks: [task('alpha:tidy')], cron: [{ schedule: '61 * * * *', task: 'alpha:tidy' }] },
    "its cron entry '61 * * * *' for alpha:tidy is not a cron expression of five fields (minute, hour, day, month, weekday, in UTC), e.g. 17 3 * * *",
  ),
  wrong(
    'a schedule of a task that needs more than a schedule gives',
    {
      tasks: [task('alpha:tidy', { payload: Type.Object({ workspace_id: Type.String() }) })],
      cron: [{ schedule: '17 3 * * *', task: 'alpha:tidy' }],
    },
    "its cron entry '17 3 * * *' for alpha:tidy gives its jobs the payload {}, which the task does not take: workspace_id is required",
  ),
  wrong(
    'a schedule of a task that it does not have',
    { tasks: [task('alpha:tidy')], cron: [{ schedule: '17 3 * * *', task: 'alpha:tiday' }] },
    "its cron entry '17 3 * * *' names the task alpha:tiday, which the plugin does not have; did you mean alpha:tidy?",
  ),
  wrong('a task in the name of another', { tasks: [task('core:tidy')] }, 'the task core:tidy must begin with alpha:'),
  wrong(
    'a task that would be tried for ever',
    { tasks: [task('alpha:tidy', { maxAttempts: 1000 })] },
    '`maxAttempts` of the task alpha:tidy must be a whole number from 1 to 20, not 1000',
  ),
  wrong(
    'a subscription to what nobody emits',
    { subscriptions: [{ event: 'sun.risen', name: 'hear', handle: async () => undefined }] },
    'hear subscribes to sun.risen, which no plugin emits; declare it, or load the plugin that does',
  ),
  wrong(
    'an event in the name of another',
    { emits: [{ kind: 'memory.forged', description: 'x', public: true }] },
    'the event memory.forged must begin with alpha.',
  ),
  wrong(
    'a permission in the name of another',
    { permissions: [{ name: 'Alpha', permissions: { 'memory.everything': 'All.' } }] },
    'the permission memory.everything must begin with alpha.',
  ),
  wrong(
    "a setting of the core's",
    { config: Type.Object({ DATABASE_URL: Type.String() }) },
    "the setting DATABASE_URL is the core's own; choose another",
  ),
  wrong(
    'a feature that nobody declares',
    { feature: 'x_alpha_gold' },
    'its feature x_alpha_gold, which no plugin declares; declare it, or load the plugin that does',
  ),
  wrong(
    'rows of another that it would remove',
    { retention: [{ table: 'core.event', column: 'created_at', keepMs: 1 }] },
    'the retention of core.event must name a table of its own schema, as x_alpha.<table>',
  ),
  {
    what: 'a plugin that it needs and nobody has',
    plugins: [plugin('alpha', { requires: ['omega'] })],
    sentence: 'plugin alpha requires the plugin omega, which is not loaded; add it to PLUGINS',
  },
  {
    what: 'plugins that need one another in a circle',
    plugins: [
      plugin('alpha', { requires: ['beta'] }),
      plugin('beta', { requires: ['gamma'] }),
      plugin('gamma', { requires: ['alpha'] }),
    ],
    sentence:
      'plugin alpha: plugins require one another in a circle: alpha -> beta -> gamma -> alpha; take one of these out of `requires` or `optional`',
  },
]
