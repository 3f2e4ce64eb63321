import { Link } from '../../app/address.js'
import { useData } from '../../app/data.js'
import { html } from '../../app/library.js'
import { Badge, Card, Fault, Table, Time } from '../../app/parts.js'

const LATEST = 50
const SHOWN = 10
const DAY_MS = 86_400_000

const isUnderWay = ({ status }) => status === 'PENDING' || status === 'PROCESSING'

/** Tells whether there is more than was looked through. */
const isLonger = ({ data }) => data !== undefined && data.total > data.data.length

/** Tells whether the list ends before the work that is under way does. */
const isCut = ({ data }) => data?.data.length === LATEST && data.data.every(isUnderWay)
const goesOn = ({ data }) => data.some(isUnderWay)

/** Lists work of the background that is under way, and what failed in the period. */
export function Processing({ pages, days }) {
  const has = id => pages.some(page => page.id === id)
  const latest = (path, page) => useData(has(page) ? path : undefined, { page_size: LATEST }, { goesOn })
  const memories = latest('/v1/memories', 'memories')
  const documents = latest('/v1/ingest-jobs', 'imports')
  const exports = latest('/v1/exports', 'transfers')
  const imports = latest('/v1/imports', 'transfers')
  const rows = [
    ...rowsOf(memories, memoryRow),
    ...rowsOf(documents, documentRow),
    ...rowsOf(exports, exportRow),
    ...rowsOf(imports, importRow),
  ]
  const since = Date.now() - days * DAY_MS
  const failed = rows.filter(({ status, at }) => status === 'FAILED' && Date.parse(at) >= since)
  const known = [memories, documents, exports, imports]
  return html`<${Card} title="In the background">
    ${faultsOf(known).map(error => html`<${Fault} key=${error.message} error=${error} />`)}
    ${
      known.some(({ isLoading, data }) => isLoading && !data)
        ? html`<p class="quiet" role="status">Loading …</p>`
        : html`
          <${UnderWay} rows=${rows.filter(isUnderWay)} hasMore=${known.some(isCut)} />
          <${Failed} rows=${failed} isPartial=${known.some(isLonger)} />
        `
    }
  <//>`
}

/** Returns the errors of all parts, those with the same message once. */
function faultsOf(parts) {
  const errors = parts.flatMap(({ error }) => error ?? [])
  return [...new Map(errors.map(error => [error.message, error])).values()]
}

const rowsOf = ({ data }, make) => (data?.data ?? []).map(make)

const memoryRow = ({ id, memory, status, updated_at }) => ({
  id,
  kind: 'Memory',
  name: memory,
  to: `/memories/${id}`,
  status,
  at: updated_at,
})

const documentRow = ({ id, title, document_name, file_name, source_url, status, progress, error, updated_at }) => ({
  id,
  kind: 'File or page',
  name: title ?? document_name ?? file_name ?? source_url ?? 'Document',
  to: `/imports/${id}`,
  status,
  done: progress.chunks_done,
  total: progress.chunks_total,
  error,
  at: updated_at,
})

const exportRow = job => ({ ...transferRow(job), kind: 'Export', name: job.user_id ?? 'All users' })
const importRow = job => ({ ...transferRow(job), kind: 'Import', name: job.file_name ?? job.user_id })

const transferRow = ({ id, status, progress, error, updated_at }) => ({
  id,
  to: '/transfers',
  status,
  done: progress.done,
  total: progress.total,
  error,
  at: updated_at,
})

function UnderWay({ rows, hasMore }) {
  if (rows.length === 0) return html`<p class="quiet">Nothing is being processed.</p>`
  return html`
    <p role="status">${hasMore ? 'At least ' : ''}${underWay(rows.length)}</p>
    <${Table} label="What is being processed" columns=${COLUMNS} rows=${rows.slice(0, SHOWN)} />
    ${rows.length > SHOWN && html`<p class="quiet">The first ${SHOWN} are shown.</p>`}
  `
}

const underWay = count => (count === 1 ? '1 thing is being processed.' : `${count} things are being processed.`)

const PARTIAL = `Failures are looked for among the latest ${LATEST} of each kind only.`

function Failed({ rows, isPartial }) {
  if (rows.length === 0) return isPartial && html`<p class="quiet">${PARTIAL} None of those failed in this period.</p>`
  return html`
    <h3>Failed</h3>
    <p class="quiet">Open one to see what can be done about it. ${isPartial && PARTIAL}</p>
    <${Table} label="What failed" columns=${COLUMNS} rows=${rows.slice(0, SHOWN)} />
    ${rows.length > SHOWN && html`<p class="quiet">${rows.length - SHOWN} more of them failed.</p>`}
  `
}

const COLUMNS = [
  { title: 'Name', cell: row => html`<${Name} row=${row} />` },
  { title: 'Status', cell: row => html`<${State} row=${row} />` },
  { title: 'Changed', cell: ({ at }) => html`<${Time} at=${at} />` },
]

// Half the width of a small screen has no room for columns of the kind and of what went wrong.
function Name({ row: { to, kind, name, error } }) {
  return html`<${Link} to=${to} dir="auto"><span class="clipped">${name}</span><//>
    <small class="quiet">${kind}</small>
    ${error && html`<small class="clipped" dir="auto">${error}</small>`}`
}

function State({ row: { status, done, total } }) {
  const isCounted = typeof total === 'number' && total > 0 && isUnderWay({ status })
  const progress = isCounted && `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
  return html`<${Badge}>${status}<//>
    ${progress && html`<br /><small class="quiet">${progress}</small>`}`
}
