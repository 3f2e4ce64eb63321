import { bind, definePort } from 'mneme/plugin'
import { plugin, route, Type, task } from './parts.ts'
import type { Refused } from './refusal.ts'

const port = definePort<() => string>('sky.colour')

const bothTake = (what: string, noun: string, first: Record<string, unknown>, second = first): Refused => ({
  what,
  plugins: [plugin('alpha', first), plugin('beta', second)],
  sentence: `plugin beta: ${noun} is declared by both alpha and beta (alpha: ./plugin-1.ts, beta: ./plugin-2.ts); change one of them or leave one out`,
})

/** Others have these names: the sentence says where both plugins came from. */
export const refusedNames: readonly Refused[] = [
  {
    what: 'two plugins with one id',
    plugins: [plugin('alpha'), plugin('alpha')],
    sentence:
      'plugin alpha: the plugin id alpha is declared by both alpha and alpha (alpha: ./plugin-1.ts, alpha: ./plugin-2.ts); change one of them or leave one out',
  },
  {
    what: 'the id of a built-in plugin',
    builtIn: 'all',
    plugins: [plugin('memories')],
    sentence:
      'plugin memories: the plugin id memories is declared by both memories and memories (memories: built in, memories: ./plugin-1.ts); change one of them or leave one out',
  },
  {
    what: 'the id of the core',
    plugins: [plugin('core')],
    sentence: 'plugin core: the id core is reserved; choose another',
  },
  bothTake('two plugins with one route', 'the route GET /v1/x/alpha/now', { routes: [route('/v1/x/alpha/now')] }),
  bothTake('two plugins with one port', 'the port sky.colour', { provides: [port] }),
  bothTake('two plugins with one error code', 'the error code SKY_LOST', {
    errors: { SKY_LOST: { status: 404, message: 'Lost.' } },
  }),
  bothTake('two plugins with one setting', 'the setting SKY_COLOUR', {
    config: Type.Object({ SKY_COLOUR: Type.Optional(Type.String()) }),
  }),
  {
    what: 'one plugin with two tasks of one name',
    plugins: [plugin('alpha', { tasks: [task('alpha:tidy'), task('alpha:tidy')] })],
    sentence: 'plugin alpha: the task alpha:tidy is declared twice; remove one',
  },
  {
    what: 'one plugin with two pages at one path',
    plugins: [plugin('alpha', { pages: Array(2).fill({ path: '/x/alpha', folder: new URL('.', import.meta.url) }) })],
    sentence: 'plugin alpha: the page /x/alpha is declared twice; remove one',
  },
  {
    what: 'a port that another provides',
    plugins: [
      plugin('alpha', { provides: [port], setup: () => ({ scope: null, ports: [bind(port, () => 'blue')] }) }),
      plugin('beta', { requires: ['alpha'], setup: () => ({ scope: null, ports: [bind(port, () => 'red')] }) }),
    ],
    sentence: 'plugin beta: binds the port sky.colour, which is not in its `provides`; add it there',
  },
  ...['database', 'language', 'quarantine', 'memory'].map(name => ({
    what: `a health check under the core's name ${name}`,
    plugins: [
      plugin('alpha', { setup: () => ({ scope: null, healthChecks: [{ name, check: async () => undefined }] }) }),
    ],
    sentence: `plugin alpha: the health check ${name} is declared by both the core and alpha; rename it`,
  })),
]
