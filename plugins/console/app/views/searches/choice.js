import { useData } from '../../data.ts'
import { Dialog, TextField } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button, Loaded, Pager, Table } from '../../parts.tsx'
import { shortened } from '../memories/texts.ts'

const PAGE_SIZE = 10
/** So much of a memory tells those who hear it which one a button is about. */
const NAMED = 60

/** Lets one of the memories be chosen, newest first. It does not search, as that would count in the figures. */
export function Choice({ onChoose, onClose }) {
  const [user, setUser] = useState('')
  const [page, setPage] = useState(1)
  const memories = useData('/v1/memories', { page, page_size: PAGE_SIZE, user_id: user })
  const filter = event => {
    setUser(event.target.value.trim())
    setPage(1)
  }
  return html`<${Dialog} title="Choose a memory" onClose=${onClose}>
    <div class="stack">
      <${TextField}
        label="User"
        name="chosen-user"
        dir="auto"
        placeholder="All users"
        value=${user}
        onChange=${filter}
      />
      <${Loaded} from=${memories}>
        ${({ data, total }) => html`
          ${
            data.length === 0
              ? html`<p class="quiet">${user === '' ? 'There are no memories yet.' : 'This user has no memories.'}</p>`
              : html`<${Table} label="Memories" columns=${columnsOf(onChoose)} rows=${data} />`
          }
          <${Pager} page=${page} pageSize=${PAGE_SIZE} total=${total} onPage=${setPage} />
        `}
      <//>
      <div class="row end"><${Button} onClick=${onClose}>Cancel<//></div>
    </div>
  <//>`
}

function columnsOf(onChoose) {
  return [
    { title: 'Memory', cell: ({ memory }) => html`<span class="clipped" dir="auto">${shortened(memory)}</span>` },
    { title: 'User', cell: ({ user_id }) => html`<span class="clipped" dir="auto">${user_id}</span>` },
    {
      title: 'Choose',
      cell: ({ id, memory }) =>
        html`<${Button} aria-label=${`Choose ${shortened(memory, NAMED)}`} onClick=${() => onChoose(id)}>Choose<//>`,
    },
  ]
}
