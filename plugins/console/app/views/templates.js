import { Link, useAddress } from '../address.tsx'
import { html } from '../library.js'
import { Paged, usePage } from '../paged.tsx'
import { Empty, Head, Table, Tabs, Time } from '../parts.tsx'
import { BuiltIn } from './templates/built-in.js'
import { NewTemplate } from './templates/new.js'
import { Template } from './templates/template.js'

/** Templates of memories: all of them, a new one, or the one that the address names. */
export function Templates() {
  const { parts } = useAddress()
  const [, id] = parts
  if (id === undefined) return html`<${List} />`
  return id === 'new' ? html`<${NewTemplate} />` : html`<${Template} key=${id} id=${id} />`
}

const KINDS = [
  { id: 'own', title: 'Of this workspace' },
  { id: 'built-in', title: 'Built-in' },
]

function List() {
  const { query, set } = useAddress()
  const kind = query.kind === 'built-in' ? 'built-in' : 'own'
  return html`
    <${Head} title="Templates" about="A template stores the same memories for one user after the other.">
      <${Link} to="/templates/new" class="button first">Write a template<//>
    <//>
    <${Tabs} options=${KINDS} chosen=${kind} onChoose=${chosen => set({ kind: chosen })} />
    ${kind === 'own' ? html`<${Own} />` : html`<${BuiltIn} />`}
  `
}

const COLUMNS = [
  {
    title: 'Template',
    cell: ({ id, name, description }) => html`<${Link} to=${`/templates/${id}`} dir="auto">${name}<//>
      ${description && html`<br /><small class="quiet clipped" dir="auto">${description}</small>`}`,
  },
  { title: 'Variables', cell: ({ variables }) => variables.map(({ name }) => name).join(', ') || '–' },
  { title: 'Memories', cell: ({ memories }) => memories.length, isNumber: true },
  { title: 'Changed', cell: ({ updated_at }) => html`<${Time} at=${updated_at} />` },
]

function Own() {
  const templates = usePage('/v1/templates')
  const none = html`<${Empty} title="No templates yet">Write one, or copy one of those that are built in.<//>`
  return html`<${Paged} from=${templates} none=${none}>
    ${({ data }) => html`<${Table} label="Templates" columns=${COLUMNS} rows=${data} />`}
  <//>`
}
