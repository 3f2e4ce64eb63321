import { html } from '../../library.js'
import { Badge, Table } from '../../parts.tsx'

const COLUMNS = [
  { title: 'Memory', cell: ({ memory }) => html`<${Text} text=${memory} />` },
  { title: 'Categories', cell: ({ categories }) => html`<span dir="auto">${categories.join(', ')}</span>` },
  { title: 'Priority', cell: ({ priority }) => html`<${Badge}>${priority}<//>` },
  { title: 'Stays', cell: ({ layer }) => (layer === 'TASK' ? 'Until it expires' : 'Always') },
]

const SHORT = 200
const LINES = 3

/** A text in a few lines; the whole of a long one can be opened. */
function Text({ text }) {
  const isLong = text.length > SHORT || text.split('\n', LINES + 1).length > LINES
  return html`<span class="clipped written" dir="auto">${text}</span>
    ${
      isLong &&
      html`<details>
        <summary>Show the whole text</summary>
        <p class="written" dir="auto">${text}</p>
      </details>`
    }`
}

/** The memories of a template, or what they become with values in the places of its variables. */
export function Texts({ memories, label = 'Memories of the template' }) {
  const rows = memories.map((memory, n) => ({ ...memory, n }))
  return html`<${Table} label=${label} columns=${COLUMNS} rows=${rows} keyOf=${({ n }) => n} />`
}
