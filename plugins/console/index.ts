import { resolve } from 'import-meta-resolve'
import { consolePages, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { PLUGIN, VIEWS } from './pages.ts'
import { type ConsoleScope, getMenuRoute } from './routes/get-menu.ts'

/** The browser loads Preact from the installed package, so that it works without the Internet. */
const LIBRARY = new URL('./', resolve('htm/preact/standalone', import.meta.url))

/** Shows people in a browser what the service knows, and lets them change it. */
export const consolePlugin = definePlugin({
  id: PLUGIN,
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['workspaces', 'memories'],
  routes: [getMenuRoute],
  pages: [
    { path: '/console', folder: new URL('./public/', import.meta.url), fallback: 'index.html', isHome: true },
    { path: '/console-lib', folder: LIBRARY },
    { path: '/connect', folder: new URL('./public/', import.meta.url), fallback: 'connect.html', keepsOpener: true },
  ],
  setup({ wiring }) {
    const scope: ConsoleScope = { wiring }
    return { scope, extensions: VIEWS.map(({ page }) => extend(consolePages, page)) }
  },
})
