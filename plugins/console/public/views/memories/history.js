import { Link, useAddress } from '../../app/address.js'
import { useData } from '../../app/data.js'
import { html, useState } from '../../app/library.js'
import { Badge, Button, Card, Empty, Loaded, Pager, Time } from '../../app/parts.js'
import { shortened } from './texts.js'

const PAGE_SIZE = 20

/** The changes of a memory. */
export function History({ id }) {
  const { query, set } = useAddress()
  const page = query.page ?? 1
  const history = useData(`/v1/memories/${id}/history`, { page, page_size: PAGE_SIZE })
  return html`<${Card} title="History">
    <${Loaded} from=${history}>
      ${({ data, total }) => html`
        ${data.length === 0 && html`<${Empty} title="This page is empty">Go back to see the changes before.<//>`}
        <ol class="events">${data.map(event => html`<${Event} key=${event.id} event=${event} />`)}</ol>
        <${Pager} page=${Number(page)} pageSize=${PAGE_SIZE} total=${total} onPage=${next => set({ page: next })} />
      `}
    <//>
  <//>`
}

const EVENTS = { CREATED: 'good', UPDATED: 'info', CONSOLIDATED: 'warn', RESTORED: 'info' }

function Event({ event }) {
  const { event: kind, old_content, new_content, absorbed_id, created_at } = event
  return html`<li>
    <p class="row">
      <${Badge} kind=${EVENTS[kind]}>${kind}<//> <${Time} at=${created_at} />
      ${absorbed_id && html`<${Link} to=${`/memories/${absorbed_id}`}>Show the other memory<//>`}
    </p>
    ${
      old_content === null || old_content === new_content
        ? html`<${Text} text=${new_content} />`
        : html`<dl class="facts">
            <dt>Before</dt><dd><${Text} text=${old_content} /></dd>
            <dt>After</dt><dd><${Text} text=${new_content} /></dd>
          </dl>`
    }
  </li>`
}

/** A text that is shown whole on demand where it is long. */
function Text({ text }) {
  const [isWhole, setWhole] = useState(false)
  const beginning = shortened(text)
  return html`<p class="written" dir="auto">${isWhole ? text : beginning}</p>
    ${
      beginning !== text &&
      html`<${Button} kind="link" aria-expanded=${isWhole} onClick=${() => setWhole(!isWhole)}>
        ${isWhole ? 'Show the beginning only' : 'Show the whole text'}
      <//>`
    }`
}
