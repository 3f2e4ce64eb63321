import { Link, useAddress } from '../address.tsx'
import { Field, TextField } from '../forms.tsx'
import { html } from '../library.js'
import { Paged, usePage } from '../paged.tsx'
import { Badge, Empty, Head, Table, Time } from '../parts.tsx'
import { anyUnderWay, isUnderWay, Progress } from '../progress.js'
import { Add } from './imports/add.js'
import { Job } from './imports/job.js'
import { nameOf } from './imports/name.js'

/** Documents that became memories: all of them, or the one that the address names. */
export function Imports() {
  const { parts } = useAddress()
  return parts[1] === undefined ? html`<${Jobs} />` : html`<${Job} key=${parts[1]} id=${parts[1]} />`
}

function Jobs() {
  const { query, set } = useAddress()
  const { status, user_id } = query
  const jobs = usePage('/v1/ingest-jobs', { status, user_id }, { goesOn: anyUnderWay })
  return html`
    <${Head} title="Files and pages" about="Documents are read in parts, and each part becomes a memory." />
    <${Add} onAdded=${jobs.reload} />
    <${Filters} query=${query} set=${set} />
    <${Paged} from=${jobs} none=${none({ status, user_id })}>
      ${({ data }) => html`<${Table} label="Documents" columns=${COLUMNS} rows=${data} />`}
    <//>
  `
}

const STATUSES = [
  { value: '', title: 'All' },
  { value: 'PENDING', title: 'Waiting' },
  { value: 'PROCESSING', title: 'Being read' },
  { value: 'COMPLETED', title: 'Completed' },
  { value: 'FAILED', title: 'Failed' },
]

function Filters({ query, set }) {
  return html`<form class="inline" aria-label="Filters" onSubmit=${event => event.preventDefault()}>
    <${Field}
      label="Status"
      name="status"
      options=${STATUSES}
      value=${query.status ?? ''}
      onChange=${event => set({ status: event.target.value })}
    />
    <${TextField}
      label="User"
      name="user"
      dir="auto"
      placeholder="All users"
      value=${query.user_id ?? ''}
      onChange=${event => set({ user_id: event.target.value.trim() })}
    />
  </form>`
}

function none({ status, user_id }) {
  if (status || user_id) return html`<${Empty} title="No document fits">Choose another status or user.<//>`
  return html`<${Empty} title="No documents yet">
    Files and pages that you add above, or that agents send to the API, are listed here with their progress.
  <//>`
}

const COLUMNS = [
  { title: 'Document', cell: job => html`<${Link} to=${`/imports/${job.id}`} dir="auto">${nameOf(job)}<//>` },
  { title: 'Status', cell: job => html`<${State} job=${job} />` },
  { title: 'Memories', cell: job => html`<${Counts} job=${job} />`, isNumber: true },
  { title: 'Format', cell: ({ format }) => format },
  { title: 'User', cell: ({ user_id }) => html`<span dir="auto">${user_id}</span>` },
  { title: 'Added', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
]

function Counts({ job: { memories_created, memories_skipped, memories_removed } }) {
  const told = count => count.toLocaleString('en')
  return html`${told(memories_created ?? 0)}
    ${memories_skipped > 0 && html`<br /><small class="quiet">${told(memories_skipped)} known</small>`}
    ${memories_removed > 0 && html`<br /><small class="quiet">${told(memories_removed)} removed</small>`}`
}

function State({ job }) {
  const { chunks_done, chunks_total } = job.progress
  return html`<${Badge}>${job.status}<//>
    ${
      isUnderWay(job) &&
      html`<br /><${Progress}
          label=${`Progress of ${nameOf(job)}`}
          done=${chunks_done}
          total=${chunks_total}
          unit="parts"
        />`
    }
    ${job.error && html`<small class="clipped" dir="auto">${job.error}</small>`}
    ${job.warnings.length > 0 && html`<br /><small class="quiet">${warned(job.warnings.length)}</small>`}`
}

const warned = count => (count === 1 ? 'There is a warning.' : `There are ${count} warnings.`)
