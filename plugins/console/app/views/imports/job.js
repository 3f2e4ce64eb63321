import { Link, navigate } from '../../address.tsx'
import { call } from '../../api.ts'
import { useData } from '../../data.ts'
import { Confirmed } from '../../forms.tsx'
import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Badge, Card, Copyable, Empty, Head, Loaded, Notice, Table, Time } from '../../parts.tsx'
import { isUnderWay, Progress } from '../../progress.js'
import { nameOf } from './name.js'

/** A document, how far it is read, and the memories that came of it. */
export function Job({ id }) {
  const job = useData(`/v1/ingest-jobs/${encodeURIComponent(id)}`, {}, { goesOn: isUnderWay })
  return html`
    <p><${Link} to="/imports">All files and pages<//></p>
    <${Loaded} from=${job}>
      ${data => html`
        <${Head} title=${html`<span dir="auto">${nameOf(data)}</span>`} about=${stateOf(data)}>
          <${Actions} job=${data} reload=${job.reload} />
        <//>
        <${Messages} job=${data} />
        <${Facts} job=${data} />
        <${Memories} key=${data.status} job=${data} />
      `}
    <//>
  `
}

const STATES = {
  PENDING: 'The document waits for its turn.',
  PROCESSING: 'The document is being read.',
  COMPLETED: 'All memories of the document can be searched.',
  FAILED: 'The document was not read to its end.',
}

const stateOf = ({ status }) => STATES[status]

function Actions({ job, reload }) {
  const path = `/v1/ingest-jobs/${job.id}`
  const remove = async query => {
    const place = location.pathname
    await call('DELETE', path, { query })
    if (location.pathname === place) navigate('/imports')
  }
  const stop = async () => {
    await call('POST', `${path}/cancel`)
    await reload()
  }
  return html`
    ${
      isUnderWay(job) &&
      html`<${Confirmed}
        label="Stop"
        question="The job ends after its current step. Memories made by then are kept."
        act=${stop}
      />`
    }
    <${Confirmed}
      label="Delete the job"
      question="The job leaves the list. Its memories stay and can be searched as before."
      act=${() => remove({})}
    />
    <${Confirmed}
      label="Delete with memories"
      question="The job and all memories of the document are deleted for good, but for texts that another document of the user has too."
      act=${() => remove({ memories: true })}
    />
  `
}

function Messages({ job: { error, error_code, warnings } }) {
  return html`
    ${
      error &&
      html`<${Notice} kind="bad">
        <p dir="auto">${error}</p>
        ${error_code && html`<p class="quiet"><code>${error_code}</code></p>`}
      <//>`
    }
    ${
      warnings.length > 0 &&
      html`<${Notice} kind="warn">
        <ul>${warnings.map(warning => html`<li key=${warning} dir="auto">${warning}</li>`)}</ul>
      <//>`
    }
  `
}

function Facts({ job }) {
  const { chunks_done, chunks_total } = job.progress
  const progress = html`<${Progress} label="Progress" done=${chunks_done} total=${chunks_total} unit="parts" />`
  const facts = [
    ['Status', html`<${Badge}>${job.status}<//>`],
    ['Parts', isUnderWay(job) ? progress : chunks_total !== null && `${count(chunks_done)} of ${count(chunks_total)}`],
    ['Memories created', count(job.memories_created)],
    ['Skipped, as they were known', count(job.memories_skipped)],
    ['Removed with older versions', count(job.memories_removed)],
    ['Format', job.format],
    ['Read by', job.read_by],
    ['User', html`<span dir="auto">${job.user_id}</span>`],
    ['Categories', job.categories.length > 0 && html`<span dir="auto">${job.categories.join(', ')}</span>`],
    ['File', job.file_name && html`<span dir="auto">${job.file_name}</span>`],
    ['Address', job.source_url && html`<${Address} url=${job.source_url} />`],
    ['Document name', job.document_name && html`<span dir="auto">${job.document_name}</span>`],
    ['Added', html`<${Time} at=${job.created_at} />`],
    ['Last changed', html`<${Time} at=${job.updated_at} />`],
    ['Id', html`<${Copyable} text=${job.id} />`],
  ]
  const known = facts.filter(([, value]) => value !== false && value !== null)
  return html`<${Card} title="The job">
    <dl class="facts">
      ${known.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>
  <//>`
}

/** Only addresses of the web become links, so that none of them runs a script. */
function Address({ url }) {
  return /^https?:/i.test(url)
    ? html`<a href=${url} rel="noreferrer noopener" target="_blank">${url}</a>`
    : html`<code>${url}</code>`
}

const count = number => (number === null ? null : number.toLocaleString('en'))

const COLUMNS = [
  {
    title: 'Memory',
    cell: ({ id, memory }) =>
      html`<${Link} to=${`/memories/${id}`} dir="auto"><span class="clipped">${memory}</span><//>`,
  },
  { title: 'Categories', cell: ({ categories }) => html`<span dir="auto">${categories.join(', ')}</span>` },
  { title: 'Status', cell: ({ status }) => html`<${Badge}>${status}<//>` },
]

function Memories({ job }) {
  const isReading = isUnderWay(job)
  const memories = usePage(`/v1/ingest-jobs/${job.id}/memories`, {}, { goesOn: () => isReading })
  return html`<${Card} title="Memories of the document">
    <${Paged} from=${memories} none=${none(job)}>
      ${({ data }) => html`<${Table} label="Memories" columns=${COLUMNS} rows=${data} />`}
    <//>
  <//>`
}

function none(job) {
  if (isUnderWay(job)) return html`<${Empty} title="No memories yet">They appear here as the document is read.<//>`
  if (job.memories_skipped > 0) {
    return html`<${Empty} title="Nothing new">The workspace had what this document says, or it was deleted since.<//>`
  }
  return html`<${Empty} title="No memories">None came of this document, or they were deleted.<//>`
}
