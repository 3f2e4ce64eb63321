import { Link } from '../../address.tsx'
import { call } from '../../api.ts'
import { Confirmed } from '../../forms.tsx'
import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Badge, Empty, Notice, Table, Time } from '../../parts.tsx'
import { isFiltered, parametersOf } from './filters.js'
import { Results } from './results.js'
import { counted, shortened } from './texts.js'

/** Tells whether the service still works on a memory. */
export const isUnderWay = ({ status }) => status === 'PENDING' || status === 'PROCESSING'

// Searches are counted and learned from, so none is repeated only to show how far processing is.
const anyUnderWay = ({ data, query_hash }) => query_hash === undefined && data.some(isUnderWay)

/** The memories that the address asks for: the newest, or the results of a search. */
export function List({ query }) {
  const memories = usePage('/v1/memories', parametersOf(query), { goesOn: anyUnderWay })
  const warning = memories.data?.warning
  return html`<section class="stack" aria-label="Memories" aria-busy=${memories.isLoading}>
    ${warning && html`<${Notice} kind="warn"><p>${warning}</p><//>`}
    ${query.status === 'FAILED' && memories.data?.total > 0 && html`<${FailedAll} reload=${memories.reload} />`}
    <${Paged} from=${memories} none=${none(query)}>${found => html`<${Found} found=${found} />`}<//>
  </section>`
}

const TRYING =
  'All memories of the workspace whose processing failed are queued again, also those that other filters leave out. They leave this list as their turn comes.'

/** Whatever the other filters are, an outage or a wrong setting is rarely about a few of them. */
function FailedAll({ reload }) {
  const process = async () => {
    await call('POST', '/v1/memories/reprocess', { body: { status: 'FAILED' } })
    await reload()
  }
  return html`<div class="row">
    <${Confirmed} kind="plain" label="Process all again" question=${TRYING} act=${process} />
  </div>`
}

const SEARCH_COUNT_MAX = 1000

function Found({ found: { data, total, query_hash } }) {
  if (query_hash === undefined) {
    return html`<p class="quiet" role="status">${counted(total, 'memory', 'memories')}, newest first.</p>
      <${Table} label="Memories" columns=${COLUMNS} rows=${data} />`
  }
  const atLeast = total >= SEARCH_COUNT_MAX ? 'At least ' : ''
  return html`<p class="quiet" role="status">${atLeast}${counted(total, 'result', 'results')}, best first.</p>
    <${Results} memories=${data} queryHash=${query_hash} />`
}

const COLUMNS = [
  {
    title: 'Memory',
    cell: ({ id, memory }) =>
      html`<${Link} to=${`/memories/${id}`} dir="auto" class="clipped">${shortened(memory)}<//>`,
  },
  { title: 'Status', cell: ({ status }) => html`<${Badge}>${status}<//>` },
  {
    title: 'Categories',
    cell: ({ categories }) => html`<span dir="auto">${shortened(categories.join(', '), 60)}</span>`,
  },
  { title: 'User', cell: ({ user_id }) => html`<span dir="auto">${shortened(user_id, 30)}</span>` },
  { title: 'Created', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
]

function none(query) {
  if (query.search) {
    return html`<${Empty} title="Nothing is found">
      Try other words, search by words and meaning, or clear a filter.
    <//>`
  }
  if (isFiltered(query)) return html`<${Empty} title="No memory fits">Change or clear a filter.<//>`
  return html`<${Empty} title="No memories yet">
    They appear here as agents store them, when files are read or imported, or when you add one.
  <//>`
}
