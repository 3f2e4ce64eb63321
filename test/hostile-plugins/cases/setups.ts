import { administration, bind, consolePages, definePort, extend, type PluginContext } from 'mneme/plugin'
import { memoryFields, memoryFilters, memoryIntake } from 'mneme/plugin/memories'
import { plugin, Type } from './parts.ts'
import type { Refused } from './refusal.ts'

type Context = PluginContext<Record<string, never>>

const setsUp = (what: string, setup: (context: Context) => unknown, fault: string, parts = {}): Refused => ({
  what,
  plugins: [plugin('alpha', { ...parts, setup })],
  sentence: `plugin alpha: ${fault}`,
})

/** A contribution to the memories plugin. */
const adds = (what: string, extension: ReturnType<typeof extend>, fault: string): Refused => ({
  ...setsUp(what, () => ({ scope: null, extensions: [extension] }), fault, { requires: ['memories'] }),
  builtIn: 'all',
})

const filter = (parameters: ReturnType<typeof Type.Object>) =>
  extend(memoryFilters, { id: 'mine', parameters, passing: async () => undefined })

const entry = (id: string, path: string) => extend(consolePages, { id, title: id, path, icon: 'book', order: 1 })

const port = definePort<() => string>('alpha.colour')

/** These plugins go wrong while they are set up, or hand back parts that do not fit. */
export const refusedSetups: readonly Refused[] = [
  setsUp(
    'a setup that throws',
    () => {
      throw new Error('the moon is down')
    },
    'setup failed: the moon is down',
  ),
  setsUp(
    'a setup that throws nothing',
    () => Promise.reject(undefined),
    'setup failed: it threw undefined, which is no Error',
  ),
  {
    ...setsUp('a setup that hangs', () => new Promise(() => undefined), 'setup did not end within 0.05 s'),
    setupLimit: { noticeMs: 20, limitMs: 50 },
  },
  setsUp(
    'a setup that hands back nothing',
    () => undefined,
    'setup handed back undefined; it must hand back an object with the scope, e.g. { scope: null }',
  ),
  setsUp(
    'a setup that hands back a misspelt key',
    () => ({ scope: null, healthcheck: [] }),
    'what setup handed back has the key `healthcheck`, which nothing reads; did you mean healthChecks?',
  ),
  setsUp(
    'a port that is declared and not bound',
    () => ({ scope: null }),
    'declares the port alpha.colour and does not bind it; hand back bind(…) for it in `ports`',
    { provides: [port] },
  ),
  setsUp(
    'a port that is bound to nothing',
    () => ({ scope: null, ports: [bind(port, undefined as never)] }),
    'binds the port alpha.colour to undefined',
    { provides: [port] },
  ),
  setsUp(
    'a port of the kernel that it does not list',
    ({ wiring }) => ({ scope: wiring.use(administration) }),
    'list the port core.administration in the manifest\'s "uses" to use it',
  ),
  setsUp(
    'a change to the context',
    context => Object.assign(context, { database: null }),
    'setup failed: Attempted to assign to readonly property.',
  ),
  setsUp(
    'a change to what all plugins share',
    ({ database }) => Object.assign(database, { workspace: null }),
    'setup failed: Attempted to assign to readonly property.',
  ),
  setsUp(
    "a metric of the core's",
    async ({ metrics }) => {
      const { Counter } = await import('prom-client')
      return { scope: new Counter({ name: 'plugin_faults_total', help: 'Mine.', registers: [metrics] }) }
    },
    'registers the metric plugin_faults_total that the core has registered already; name it alpha_…, once',
  ),
  adds(
    'an extension point that nobody has',
    extend({ id: 'memories.intaek' }, { id: 'mine' }),
    'contributes to the extension point memories.intaek, which no plugin has; did you mean memories.intake?',
  ),
  adds(
    'a hook without what a hook needs',
    extend(memoryIntake, { id: 'mine' } as never),
    'what it adds to the extension point memories.intake lacks `review`, which must be a function, not undefined',
  ),
  adds(
    'a filter that redefines a parameter of every list',
    filter(Type.Object({ user_id: Type.Optional(Type.String()) })),
    'the parameter user_id of its filter mine is one of the memories plugin already; rename it',
  ),
  adds(
    'a filter that every request would have to give',
    filter(Type.Object({ mood: Type.String() })),
    'the parameter mood of its filter mine must be optional: wrap it in Type.Optional',
  ),
  adds(
    'a filter that every request would be filtered by',
    filter(Type.Object({ mood: Type.Optional(Type.String({ default: 'glad' })) })),
    'the parameter mood of its filter mine must have no default, which would filter every request',
  ),
  adds(
    'a field under a name that is none',
    extend(memoryFields, { name: 'No name', schema: Type.String(), load: async () => new Map() }),
    'its field No name must be of lower-case letters, digits and _',
  ),
  adds(
    'a field with a schema that is plain JSON Schema',
    extend(memoryFields, { name: 'mood', schema: { type: 'string' } as never, load: async () => new Map() }),
    'what it adds to the extension point memories.fields has a `schema` that is not a TypeBox schema: build it with Type, plain JSON Schema is not enough',
  ),
  adds(
    'a field with a schema that does not compile',
    extend(memoryFields, { name: 'mood', schema: Type.Ref('Mood'), load: async () => new Map() }),
    'what it adds to the extension point memories.fields has a `schema` that does not compile: Ref is no type that is known here',
  ),
  adds(
    'a filter with a parameter that is plain JSON Schema',
    filter(Type.Object({ mood: { type: 'string' } as never })),
    'what it adds to the extension point memories.filters has a `parameters` that is not a TypeBox schema: build it with Type, plain JSON Schema is not enough',
  ),
  adds(
    'a filter whose parameters are no object',
    filter(Type.String() as never),
    'the parameters of its filter mine must be a Type.Object',
  ),
  setsUp(
    'a menu entry that leads elsewhere',
    () => ({ scope: null, extensions: [entry('mine', '/x/alpha/../../desk')] }),
    'its console page mine has the path /x/alpha/../../desk, which must be /x/alpha or lie below it',
  ),
  setsUp(
    'two menu entries that lead to one place',
    () => ({ scope: null, extensions: [entry('mine', '/x/alpha'), entry('yours', '/x/alpha')] }),
    'its console page yours leads to /x/alpha, as mine of alpha does already; leave one out',
  ),
]
