import { definePlugin, extend, type Logger, PLUGIN_API_VERSION, routeCatalogue, type Wiring } from 'mneme/plugin'
import { signInOfApplications } from '../oauth/contract.ts'
import { mcpTools } from './contract.ts'
import { callRoute, type McpScope } from './routes/call.ts'
import { builtInTools } from './tools/built-in.ts'
import { outputs } from './tools/outputs.ts'
import { type ResolvedTool, resolveTools } from './tools/resolve.ts'

const VERSION = '0.1.0'

/** Gives agents the API as tools of the Model Context Protocol. */
export const mcpPlugin = definePlugin({
  id: 'mcp',
  version: VERSION,
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  optional: ['oauth'],
  extensionPoints: [mcpTools],
  routes: [callRoute],
  setup({ wiring, log }) {
    let tools: readonly ResolvedTool[] | undefined
    const scope: McpScope = {
      log,
      version: VERSION,
      tools: () => (tools ??= allTools(wiring, log)),
      routes: () => wiring.use(routeCatalogue),
      challenge: request => wiring.find(signInOfApplications)?.challenge(request),
    }
    const described = builtInTools.map(tool => ({
      ...tool,
      ...(outputs[tool.name] ? { output: outputs[tool.name] } : {}),
    }))
    return { scope, extensions: described.map(tool => extend(mcpTools, tool)) }
  },
})

/** Routes are known once every plugin is set up, so it is called with the first request. */
function allTools(wiring: Wiring, log: Logger): readonly ResolvedTool[] {
  return resolveTools(wiring.extensions(mcpTools), wiring.use(routeCatalogue), ({ name }, why) =>
    log.warn(`the tool ${name} is left out: ${why}`),
  )
}
