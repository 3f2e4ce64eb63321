import { Link } from '../../address.tsx'
import { CopiedText } from '../../copied-text.js'
import { html } from '../../library.js'
import { Badge, Card, Empty, Notice, Table } from '../../parts.tsx'
import { counted, figure } from '../memories/texts.ts'

/** A context as an agent gets it, and the memories that it tells. */
export function Assembled({ context, memories, warning }) {
  return html`
    ${warning && html`<${Notice} kind="warn"><p>${warning}</p><//>`}
    ${
      context === ''
        ? html`<${Empty} title="Nothing is known">No memory fits the message. Clear a filter, or ask otherwise.<//>`
        : html`<${Told} context=${context} memories=${memories} />`
    }
  `
}

function Told({ context, memories }) {
  return html`
    <${Card} title="The context">
      <div class="stack">
        <p class="quiet" role="status">
          ${counted(context.length, 'character', 'characters')}, ${counted(memories.length, 'memory', 'memories')}.
        </p>
        <pre class="document" dir="auto" tabindex="0" role="region" aria-label="Context">${context}</pre>
        <div class="row"><${CopiedText} label="Copy the context" text=${context} /></div>
      </div>
    <//>
    ${
      memories.length > 0 &&
      html`<${Card} title="Memories in it">
        <${Table} label="Memories in it" columns=${COLUMNS} rows=${memories.map(numbered)} />
      <//>`
    }
  `
}

const numbered = (memory, index) => ({ ...memory, place: index + 1 })

const COLUMNS = [
  { title: 'Memory', cell: ({ id, place }) => html`<${Link} to=${`/memories/${id}`}>Memory ${place}<//>` },
  { title: 'Score', isNumber: true, cell: ({ score }) => figure(score) },
  { title: 'Told', cell: ({ excerpt }) => (excerpt ? 'in part' : 'whole') },
  {
    title: 'Holds',
    cell: ({ ended }) => html`<${Badge} kind=${ended ? 'warn' : 'good'}>${ended ? 'no more' : 'still'}<//>`,
  },
]
