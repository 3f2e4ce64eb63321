import { Link } from '../../address.tsx'
import { html, useState } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Badge, Button, Card, Time } from '../../parts.tsx'
import { shortened } from './texts.js'

/** The changes of a memory. */
export function History({ id }) {
  const history = usePage(`/v1/memories/${id}/history`)
  return html`<${Card} title="History">
    <${Paged} from=${history} none=${html`<p class="quiet">Nothing was changed.</p>`}>
      ${({ data }) => html`<ol class="events">${data.map(event => html`<${Event} key=${event.id} event=${event} />`)}</ol>`}
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
