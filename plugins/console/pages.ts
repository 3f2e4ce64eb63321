import type { ConsolePage } from 'mneme/plugin'

export const PLUGIN = 'console'

/** A view of the console. */
export interface View {
  readonly page: ConsolePage
  /** It begins with this route: who may not call it has nothing to see there. */
  readonly begins: { readonly method: 'GET' | 'POST'; readonly path: string }
}

/** Other plugins' pages come between them by their `order`. */
export const VIEWS: readonly View[] = [
  view('overview', 'Overview', '', 'gauge', 0, '/v1/dashboard/summary'),
  view('memories', 'Memories', 'memories', 'notes', 10, '/v1/memories'),
  view('graph', 'Graph', 'graph', 'share', 20, '/v1/graph/entities'),
  view('knowledge', 'Knowledge', 'knowledge', 'book', 30, '/v1/knowledge'),
  view('imports', 'Files and pages', 'imports', 'file', 40, '/v1/ingest-jobs'),
  view('context', 'Playground', 'context', 'terminal', 50, '/v1/context', 'POST'),
  view('searches', 'Search quality', 'searches', 'search', 60, '/v1/dashboard/quality'),
  view('templates', 'Templates', 'templates', 'copy', 70, '/v1/templates'),
  view('webhooks', 'Webhooks', 'webhooks', 'bell', 80, '/v1/webhooks'),
  view('transfers', 'Export and import', 'transfers', 'archive', 90, '/v1/exports'),
  view('keys', 'API keys', 'keys', 'key', 100, '/v1/api-keys'),
  view('connections', 'Connected apps', 'connections', 'link', 102, '/v1/connections'),
  view('members', 'Members', 'members', 'people', 105, '/v1/members'),
  view('settings', 'Settings', 'settings', 'gear', 110, '/v1/workspaces'),
]

function view(
  id: string,
  title: string,
  name: string,
  icon: string,
  order: number,
  begins: string,
  method: View['begins']['method'] = 'GET',
): View {
  return { page: { id, title, path: `/console/${name}`, icon, order }, begins: { method, path: begins } }
}
