import { Link } from '../../address.tsx'
import { html } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Card, Table, Time } from '../../parts.tsx'

const PAGE_SIZE = 10

const COLUMNS = [
  {
    title: 'Memory',
    cell: ({ id, memory }) =>
      html`<${Link} to=${`/memories/${id}`} dir="auto"><span class="clipped">${memory}</span><//>`,
  },
  { title: 'Stored', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
]

/** The memories that name an entity, the latest first. */
export function Memories({ entity }) {
  const options = { pageSize: PAGE_SIZE, pageName: 'memories_page' }
  const memories = usePage('/v1/memories', { entity_id: entity.id }, options)
  const none = html`<p class="quiet">No memory that is left names it.</p>`
  return html`<${Card} title="Memories that name it">
    <${Paged} from=${memories} none=${none}>
      ${({ data }) => html`<${Table} label="Memories that name it" columns=${COLUMNS} rows=${data} />`}
    <//>
  <//>`
}
