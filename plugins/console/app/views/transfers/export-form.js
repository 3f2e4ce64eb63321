import { call } from '../../api.ts'
import { Check, Field, Form, listOf } from '../../forms.tsx'
import { html, useState } from '../../library.js'

const FORMATS = [
  { value: 'JSONL', title: 'JSONL, which can be imported again without loss' },
  { value: 'JSON', title: 'JSON, for programs' },
  { value: 'CSV', title: 'CSV, for spreadsheets: memories only' },
  { value: 'MARKDOWN', title: 'Markdown, to be read' },
]

const SECTIONS = [
  { name: 'memories', label: 'Memories' },
  { name: 'history', label: 'History, with its memories' },
  { name: 'knowledge', label: 'Knowledge', page: 'knowledge' },
  { name: 'graph', label: 'Graph of entities and relationships', page: 'graph' },
  { name: 'ingest', label: 'Files and pages, by which documents are replaced', page: 'imports' },
  { name: 'templates', label: 'Templates', page: 'templates' },
]

/**
 * @param {{pages: {id: string}[], onMade: () => Promise<void>, onCancel: () => void}} props
 * `pages` tells which parts the workspace has
 */
export function ExportForm({ pages, onMade, onCancel }) {
  const [format, setFormat] = useState('JSONL')
  const [hasAll, setAll] = useState(true)
  const send = async ({ user_id, categories }, form) => {
    const named = listOf(categories)
    const body = {
      format,
      ...(user_id.trim() === '' ? {} : { user_id: user_id.trim() }),
      ...(named.length === 0 ? {} : { categories: named }),
      ...(hasAll || format === 'CSV' ? {} : { include: chosenIn(form) }),
    }
    await call('POST', '/v1/exports', { body })
    await onMade()
  }
  return html`<${Form} send=${send} action="Make the export" onCancel=${onCancel}>
    <${Field}
      label="Format"
      name="format"
      options=${FORMATS}
      value=${format}
      onChange=${event => setFormat(event.target.value)}
    />
    <${Field}
      label="User"
      name="user_id"
      dir="auto"
      placeholder="All users"
      hint="Only memories of this user."
    />
    <${Field}
      label="Categories"
      name="categories"
      dir="auto"
      placeholder="All categories"
      hint="Only memories with at least one of these, and no graph. Put commas between several."
    />
    ${
      format !== 'CSV' &&
      html`<fieldset>
        <legend>Contents</legend>
        <${Check} label="Everything" name="all" checked=${hasAll} onChange=${event => setAll(event.target.checked)} />
        ${
          !hasAll &&
          sectionsIn(pages).map(
            ({ name, label }) => html`<${Check} key=${name} label=${label} name="include" value=${name} />`,
          )
        }
      </fieldset>`
    }
  <//>`
}

function sectionsIn(pages) {
  const ids = new Set(pages.map(({ id }) => id))
  return SECTIONS.filter(({ page }) => page === undefined || ids.has(page))
}

function chosenIn(form) {
  const chosen = new FormData(form).getAll('include')
  if (chosen.length === 0) throw new Error('Choose at least one thing that the export contains.')
  return chosen
}
