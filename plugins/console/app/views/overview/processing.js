import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Fault, Table, Time } from '../../parts.tsx'

/** The kinds of work as people call them, and where to look at them. `failedTo` leads to what failed alone. */
const KINDS = {
  memories: { name: 'Memories', page: 'memories', to: '/memories', failedTo: '/memories?status=FAILED' },
  conversations: { name: 'Conversations' },
  graph: { name: 'Reading for the graph', page: 'graph', to: '/graph' },
  knowledge: { name: 'Knowledge pages', page: 'knowledge', to: '/knowledge' },
  imports: { name: 'Imports', page: 'imports', to: '/imports' },
  deliveries: { name: 'Webhook deliveries', page: 'webhooks', to: '/webhooks' },
  exports: { name: 'Exports', page: 'transfers', to: '/transfers' },
}

/** Shows how much work waits in the background, for how long, and how much of it failed. */
export function Processing({ pages }) {
  const { data, error, isLoading } = useData('/v1/dashboard/backlog', undefined, { goesOn: isAnyWaiting })
  const rows = data ? rowsOf(data, pages) : []
  return html`<${Card} title="In the background">
    <${Fault} error=${error} />
    ${isLoading && !data && html`<p class="quiet" role="status">Loading …</p>`}
    ${data && html`<p role="status">${waitingWords(data)}</p>`}
    ${rows.length > 0 && html`<${Table} label="Work in the background" columns=${COLUMNS} rows=${rows} />`}
  <//>`
}

const isAnyWaiting = backlog => Object.values(backlog).some(({ waiting }) => waiting > 0)

/** Kinds of which something waits or failed. */
function rowsOf(backlog, pages) {
  return Object.entries(backlog).flatMap(([kind, counts]) => {
    if (counts.waiting + counts.failed === 0) return []
    const { name = kind, page, ...places } = KINDS[kind] ?? {}
    return { id: kind, name, ...counts, ...(pages.some(({ id }) => id === page) ? places : {}) }
  })
}

function waitingWords(backlog) {
  const all = Object.values(backlog).reduce((sum, { waiting }) => sum + waiting, 0)
  if (all === 0) return 'Nothing is being processed.'
  return all === 1 ? '1 thing is being processed.' : `${counted(all)} things are being processed.`
}

const COLUMNS = [
  { title: 'Work', cell: ({ name, to }) => (to ? html`<${Link} to=${to}>${name}<//>` : name) },
  { title: 'Waiting', cell: ({ waiting }) => counted(waiting) },
  { title: 'Oldest', cell: ({ oldest_at: at }) => (at ? html`<${Time} at=${at} />` : '–') },
  { title: 'Failed', cell: ({ failed, to, failedTo = to }) => html`<${Failed} count=${failed} to=${failedTo} />` },
]

function Failed({ count, to }) {
  return count > 0 && to ? html`<${Link} to=${to}>${counted(count)}<//>` : counted(count)
}

const counted = number => number.toLocaleString('en')
