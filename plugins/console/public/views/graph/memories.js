import { Link, useAddress } from '../../app/address.js'
import { useData } from '../../app/data.js'
import { html } from '../../app/library.js'
import { Card, Loaded, Pager, Table, Time } from '../../app/parts.js'

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
  const { query, set } = useAddress()
  const page = Number(query.memories_page ?? 1)
  const memories = useData('/v1/memories', { entity_id: entity.id, page, page_size: PAGE_SIZE })
  return html`<${Card} title="Memories that name it">
    <${Loaded} from=${memories}>
      ${({ data, total }) => html`
        ${
          data.length === 0
            ? html`<p class="quiet">${page > 1 ? 'This page is empty.' : 'No memory that is left names it.'}</p>`
            : html`<${Table} label="Memories that name it" columns=${COLUMNS} rows=${data} />`
        }
        <${Pager} page=${page} pageSize=${PAGE_SIZE} total=${total} onPage=${next => set({ memories_page: next })} />
      `}
    <//>
  <//>`
}
