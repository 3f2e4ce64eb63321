import { Connections } from '../views/connections.js'
import { Context } from '../views/context.js'
import { Graph } from '../views/graph.js'
import { Imports } from '../views/imports.js'
import { Keys } from '../views/keys.js'
import { Knowledge } from '../views/knowledge.js'
import { Members } from '../views/members.js'
import { Memories } from '../views/memories.js'
import { Overview } from '../views/overview.js'
import { Searches } from '../views/searches.js'
import { Settings } from '../views/settings.js'
import { Templates } from '../views/templates.js'
import { Transfers } from '../views/transfers.js'
import { Webhooks } from '../views/webhooks.js'

/** Views by the first part of their address below the console. */
const VIEWS = new Map([
  ['', Overview],
  ['memories', Memories],
  ['graph', Graph],
  ['knowledge', Knowledge],
  ['imports', Imports],
  ['context', Context],
  ['searches', Searches],
  ['templates', Templates],
  ['transfers', Transfers],
  ['webhooks', Webhooks],
  ['keys', Keys],
  ['connections', Connections],
  ['members', Members],
  ['settings', Settings],
])

/** @param {string | undefined} name */
export function viewOf(name = '') {
  return VIEWS.get(name)
}
