import type { ComponentType } from 'preact'
import type { Session } from './session.ts'
import { Connections } from './views/connections.js'
import { Graph } from './views/graph.tsx'
import { Imports } from './views/imports.js'
import { Keys } from './views/keys.js'
import { Knowledge } from './views/knowledge.js'
import { Members } from './views/members.js'
import { Memories } from './views/memories.tsx'
import { Overview } from './views/overview.tsx'
import { Playground } from './views/playground.tsx'
import { Searches } from './views/searches.js'
import { Settings } from './views/settings.js'
import { Templates } from './views/templates.js'
import { Transfers } from './views/transfers.js'
import { Webhooks } from './views/webhooks.js'

/** Each view gets these. */
export interface ViewProps {
  readonly session: Session
  readonly onChanged: () => Promise<void>
  readonly onWorkspace: (id: string) => void
}

/** Views by the first part of their address below the workspace. */
const VIEWS = new Map<string, ComponentType<ViewProps>>([
  ['', Overview],
  ['memories', Memories],
  ['graph', Graph],
  ['knowledge', Knowledge],
  ['imports', Imports],
  ['context', Playground],
  ['searches', Searches],
  ['templates', Templates],
  ['transfers', Transfers],
  ['webhooks', Webhooks],
  ['keys', Keys],
  ['connections', Connections],
  ['members', Members],
  ['settings', Settings],
])

export function viewOf(name = ''): ComponentType<ViewProps> | undefined {
  return VIEWS.get(name)
}
