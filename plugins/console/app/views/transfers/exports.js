import { useAddress } from '../../address.tsx'
import { call, linkTo } from '../../api.ts'
import { Confirmed, Dialog } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Badge, Button, Empty, Table, Time } from '../../parts.tsx'
import { anyUnderWay, isUnderWay, Progress, sizeOf } from '../../progress.js'
import { ExportForm } from './export-form.js'

/** @param {{session: {pages: {id: string}[]}}} props */
export function Exports({ session }) {
  const { set } = useAddress()
  const [isMaking, setMaking] = useState(false)
  const exports = usePage('/v1/exports', {}, { goesOn: anyUnderWay })
  const close = () => setMaking(false)
  const { search } = location
  const made = async () => {
    close()
    if (location.search === search) set({ page: undefined })
    await exports.reload()
  }
  return html`
    <div class="row"><${Button} kind="first" onClick=${() => setMaking(true)}>Make an export<//></div>
    ${
      isMaking &&
      html`<${Dialog} title="Make an export" onClose=${close}>
        <${ExportForm} pages=${session.pages} onMade=${made} onCancel=${close} />
      <//>`
    }
    <${Paged} from=${exports} none=${html`<${None} />`}>
      ${({ data }) => html`<${ExportTable} exports=${data} reload=${exports.reload} />`}
    <//>
  `
}

function None() {
  return html`<${Empty} title="No exports yet">
    An export is a file of this workspace's memories, history, knowledge and graph. It can be downloaded for 7 days.
  <//>`
}

function ExportTable({ exports, reload }) {
  return html`<${Table} label="Exports" columns=${columnsFor(reload)} rows=${exports} />`
}

function columnsFor(reload) {
  return [
    { title: 'Made', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
    { title: 'Format', cell: ({ format }) => format },
    { title: 'Contents', cell: made => html`<${Contents} made=${made} />` },
    { title: 'Status', cell: made => html`<${State} made=${made} />` },
    { title: 'Size', cell: ({ size_bytes }) => (size_bytes === null ? '–' : sizeOf(size_bytes)), isNumber: true },
    { title: 'Expires', cell: ({ expires_at }) => html`<${Time} at=${expires_at} />` },
    { title: 'Actions', cell: made => html`<${Actions} made=${made} reload=${reload} />` },
  ]
}

function Contents({ made: { include, user_id, categories } }) {
  return html`${include.join(', ')}
    <br />
    <small class="quiet">
      ${user_id === null ? 'All users' : html`User <span dir="auto">${user_id}</span>`}
      ${categories && html`, categories <span dir="auto">${categories.join(', ')}</span>`}
    </small>`
}

const isExpired = ({ expires_at }) => expires_at !== null && new Date(expires_at) <= new Date()

function State({ made }) {
  if (made.status === 'COMPLETED' && isExpired(made)) return html`<${Badge} kind="plain">Expired<//>`
  const { done, total } = made.progress
  return html`<${Badge}>${made.status}<//>
    ${
      isUnderWay(made) &&
      html`<br /><${Progress} label="Progress of the export" done=${done} total=${total} unit="records" />`
    }
    ${made.error && html`<br /><small>${made.error}</small>`}
    ${made.sha256 && html`<details><summary>SHA-256</summary><code>${made.sha256}</code></details>`}`
}

function Actions({ made, reload }) {
  const remove = async () => {
    await call('DELETE', `/v1/exports/${made.id}`)
    await reload()
  }
  const named = `the ${made.format} export of ${new Date(made.created_at).toLocaleString('en-GB')}`
  return html`<div class="row end">
    ${
      made.status === 'COMPLETED' &&
      !isExpired(made) &&
      html`<a
        class="button"
        href=${linkTo(`/v1/exports/${made.id}/download`)}
        download=""
        aria-label=${`Download ${named}`}
      >
        Download
      </a>`
    }
    <${Confirmed}
      label="Delete"
      aria-label=${`Delete ${named}`}
      question="The export is deleted with its file. A download under way breaks off. The data of the workspace stay."
      act=${remove}
    />
  </div>`
}
