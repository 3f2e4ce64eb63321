import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Badge, Empty, Table, Time } from '../../parts.tsx'
import { anyUnderWay, isUnderWay, Progress, sizeOf } from '../../progress.js'
import { ImportForm } from './import-form.js'

/** A form that takes a file, and the imports by now. */
export function Imports() {
  const imports = usePage('/v1/imports', {}, { goesOn: anyUnderWay })
  return html`
    <${ImportForm} onSent=${imports.reload} />
    <${Paged} from=${imports} none=${html`<${None} />`}>
      ${({ data }) => html`<${Table} label="Imports" columns=${COLUMNS} rows=${data} />`}
    <//>
  `
}

function None() {
  return html`<${Empty} title="No imports yet">Files that you import above are listed here with their progress.<//>`
}

const COLUMNS = [
  { title: 'File', cell: sent => html`<${FileOf} sent=${sent} />` },
  { title: 'Status', cell: sent => html`<${State} sent=${sent} />` },
  { title: 'Created', cell: ({ memories_created }) => memories_created.toLocaleString('en'), isNumber: true },
  { title: 'Skipped', cell: ({ memories_skipped }) => memories_skipped.toLocaleString('en'), isNumber: true },
  { title: 'Expired', cell: ({ memories_expired }) => memories_expired.toLocaleString('en'), isNumber: true },
  { title: 'Other records', cell: ({ records_restored }) => records_restored.toLocaleString('en'), isNumber: true },
  { title: 'Unreadable lines', cell: ({ lines_failed }) => lines_failed.toLocaleString('en'), isNumber: true },
  { title: 'Begun', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
]

function FileOf({ sent: { file_name, format, user_id } }) {
  return html`<span dir="auto">${file_name ?? 'A file without a name'}</span>
    ${format && html`<br /><small class="quiet">Format: ${format}</small>`}
    ${user_id !== 'default' && html`<br /><small class="quiet">User: <span dir="auto">${user_id}</span></small>`}`
}

function State({ sent }) {
  const { done, total } = sent.progress
  return html`<${Badge}>${sent.status}<//>
    ${
      isUnderWay(sent) &&
      html`<br /><${Progress} label="Progress of the import" done=${done} total=${total} told=${sizeOf} unit="read" />`
    }
    ${sent.error && html`<br /><small dir="auto">${sent.error}</small>`}
    ${sent.errors.length > 0 && html`<${Lines} sent=${sent} />`}`
}

function Lines({ sent: { errors, lines_failed } }) {
  const title = errors.length < lines_failed ? `The first ${errors.length} unreadable lines` : 'Unreadable lines'
  return html`<details>
    <summary>${title}</summary>
    <ul>
      ${errors.map(({ line, message }) => html`<li key=${line}>Line ${line.toLocaleString('en')}: ${message}</li>`)}
    </ul>
  </details>`
}
