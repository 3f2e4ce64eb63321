import type { ConsolePage } from 'mneme/plugin'

/** The views of the console; those of other plugins come between them by their `order`. */
export const PAGES: readonly ConsolePage[] = [
  view('overview', 'Overview', '', 'gauge', 0, 'dashboard.read'),
  view('memories', 'Memories', 'memories', 'notes', 10, 'memory.read'),
  { ...view('graph', 'Graph', 'graph', 'share', 20, 'memory.read'), feature: 'hasKnowledgeGraph' },
  { ...view('knowledge', 'Knowledge', 'knowledge', 'book', 30, 'knowledge.read'), feature: 'hasKnowledgeGraph' },
  { ...view('imports', 'Files and pages', 'imports', 'file', 40, 'ingest.read'), feature: 'ingest' },
  view('searches', 'Search quality', 'searches', 'search', 60, 'dashboard.read'),
  { ...view('templates', 'Templates', 'templates', 'copy', 70, 'template.read'), feature: 'templates' },
  { ...view('webhooks', 'Webhooks', 'webhooks', 'bell', 80, 'webhook.read'), feature: 'webhooks' },
  { ...view('transfers', 'Export and import', 'transfers', 'archive', 90, 'export.read'), feature: 'exports' },
  view('keys', 'API keys', 'keys', 'key', 100),
  view('settings', 'Settings', 'settings', 'gear', 110, 'workspace.read'),
]

function view(id: string, title: string, name: string, icon: string, order: number, permission?: string): ConsolePage {
  return { id, title, path: `/console/${name}`, icon, order, ...(permission === undefined ? {} : { permission }) }
}
