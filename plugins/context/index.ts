import { definePlugin, PLUGIN_API_VERSION } from 'mneme/plugin'
import { assembleContextRoute } from './routes/assemble-context.ts'
import type { ContextScope } from './scope.ts'

/** Gives what is known for a prompt in one call: profile, facts and memories, within a length. */
export const contextPlugin = definePlugin({
  id: 'context',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories', 'search'],
  optional: ['graph', 'knowledge'],
  routes: [assembleContextRoute],
  setup({ wiring }) {
    const scope: ContextScope = { wiring }
    return { scope }
  },
})
