import type { ComponentType } from 'preact'
import type { Session } from './session.ts'
import { Connections } from './views/connections.tsx'
import { Graph } from './views/graph.tsx'
import { Imports } from './views/imports.tsx'
import { Keys } from './views/keys.tsx'
import { Knowledge } from './views/knowledge.tsx'
import { Members } from './views/members.tsx'
import { Memories } from './views/memories.tsx'
import { Overview } from './views/overview.tsx'
import { Playground } from './views/playground.tsx'
import { Searches } from './views/searches.tsx'
import { Settings } from './views/settings.tsx'
import { Templates } from './views/templates.tsx'
import { Transfers } from './views/transfers.tsx'
import { Webhooks } from './views/webhooks.tsx'

/** Each view gets these. */
export type ViewProps = { session: Session; onChanged: () => Promise<void>; onWorkspace: (id: string) => void }

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

export const viewOf = (name = ''): ComponentType<ViewProps> | undefined => VIEWS.get(name)
