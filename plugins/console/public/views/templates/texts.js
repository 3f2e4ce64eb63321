import { html } from '../../app/library.js'
import { Badge, Table } from '../../app/parts.js'

const COLUMNS = [
  { title: 'Memory', cell: ({ memory }) => html`<span dir="auto">${memory}</span>` },
  { title: 'Categories', cell: ({ categories }) => html`<span dir="auto">${categories.join(', ')}</span>` },
  { title: 'Priority', cell: ({ priority }) => html`<${Badge}>${priority}<//>` },
  { title: 'Stays', cell: ({ layer }) => (layer === 'TASK' ? 'Until it expires' : 'Always') },
]

/** The memories of a template, or what they become with values in the places of its variables. */
export function Texts({ memories, label = 'Memories of the template' }) {
  const rows = memories.map((memory, n) => ({ ...memory, n }))
  return html`<${Table} label=${label} columns=${COLUMNS} rows=${rows} keyOf=${({ n }) => n} />`
}
