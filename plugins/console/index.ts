import { consolePages, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { builtConsole } from './build.ts'
import { PLUGIN, VIEWS } from './pages.ts'
import { type ConsoleScope, getMenuRoute } from './routes/get-menu.ts'

/** Shows people in a browser what the service knows, and lets them change it. */
export const consolePlugin = definePlugin({
  id: PLUGIN,
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['workspaces', 'memories'],
  routes: [getMenuRoute],
  pages: [{ path: '/console', folder: await builtConsole(), fallback: 'index.html', isHome: true }],
  setup({ wiring }) {
    const scope: ConsoleScope = { wiring }
    return { scope, extensions: VIEWS.map(({ page }) => extend(consolePages, page)) }
  },
})
