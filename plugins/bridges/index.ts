import { type ConfigFault, definePlugin, PLUGIN_API_VERSION, splitList, Type } from 'mneme/plugin'
import { mem0 } from './mem0/index.ts'
import { bridgeRoutes } from './routes/bridge.ts'
import { bridgeErrors } from './service.ts'
import { supermemory } from './supermemory/index.ts'
import { zep } from './zep/index.ts'

/** Every bridge there is. */
export const bridges = [mem0, supermemory, zep]

/** Speaks the interfaces of other memory services, so that what is written for them works unchanged. */
export const bridgesPlugin = definePlugin({
  id: 'bridges',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories', 'search', 'conversations'],
  config: Type.Object({
    BRIDGES: Type.String({
      default: '',
      description: `Comma-separated services whose interfaces are spoken: ${bridges.map(({ id }) => id).join(', ')}.`,
    }),
    BRIDGES_DELETE_ALL: Type.Boolean({
      default: false,
      onlyWith: 'BRIDGES',
      description:
        'Lets a key with `memory.delete` delete all memories of a scope through a bridge, without the password.',
    }),
  }),
  checkConfig: ({ BRIDGES }): ConfigFault[] => {
    const unknown = splitList(BRIDGES).filter(name => !bridges.some(({ id }) => id === name))
    if (unknown.length === 0) return []
    const message = `names ${unknown.join(', ')}; use ${bridges.map(({ id }) => id).join(', ')}`
    return [{ name: 'BRIDGES', message }]
  },
  migrations: new URL('./sql/', import.meta.url),
  errors: bridgeErrors,
  subjects: [{ table: 'bridges.told', column: 'user_id' }],
  routes: bridges.flatMap(bridgeRoutes),
  setup: ({ config }) => ({ scope: { on: new Set(splitList(config.BRIDGES)), deletesAll: config.BRIDGES_DELETE_ALL } }),
})
