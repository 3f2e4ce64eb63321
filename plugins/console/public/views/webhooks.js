import { Link, navigate, useAddress } from '../app/address.js'
import { useData } from '../app/data.js'
import { Dialog } from '../app/forms.js'
import { html, useRef, useState } from '../app/library.js'
import { Button, Empty, Head, Loaded, Pager, Table, Time } from '../app/parts.js'
import { useEventKinds } from './webhooks/events.js'
import { WebhookForm } from './webhooks/form.js'
import { State } from './webhooks/state.js'
import { Webhook } from './webhooks/webhook.js'

const PAGE_SIZE = 20
const SHOWN_EVENTS = 3

/** The webhooks of the workspace, or the one that the address names. A secret is held here until it has been seen. */
export function Webhooks() {
  const { parts } = useAddress()
  const [secret, setSecret] = useState()
  const id = parts[1]
  if (id === undefined) return html`<${List} onSecret=${setSecret} />`
  const own = secret?.id === id ? secret.secret : undefined
  return html`<${Webhook} key=${id} id=${id} secret=${own} onSecret=${setSecret} />`
}

function List({ onSecret }) {
  const { query, set } = useAddress()
  const page = Number(query.page ?? 1)
  const [isCreating, setCreating] = useState(false)
  const webhooks = useData('/v1/webhooks', { page, page_size: PAGE_SIZE })
  return html`
    <${Head} title="Webhooks" about="The service sends events of this workspace to these addresses, as signed JSON.">
      <${Button} kind="first" onClick=${() => setCreating(true)}>Create a webhook<//>
    <//>
    ${isCreating && html`<${Create} onSecret=${onSecret} onClose=${() => setCreating(false)} />`}
    <${Loaded} from=${webhooks}>
      ${({ data, total }) => html`
        ${data.length === 0 ? none(page) : html`<${Table} label="Webhooks" columns=${COLUMNS} rows=${data} />`}
        <${Pager} page=${page} pageSize=${PAGE_SIZE} total=${total} onPage=${next => set({ page: next })} />
      `}
    <//>
  `
}

function Create({ onSecret, onClose }) {
  const kinds = useEventKinds()
  const place = useRef(location.pathname)
  const onSaved = webhook => {
    onSecret(webhook)
    if (location.pathname === place.current) navigate(`/webhooks/${webhook.id}`)
  }
  return html`<${Dialog} title="Create a webhook" onClose=${onClose}>
    <${WebhookForm} kinds=${kinds} onSaved=${onSaved} onCancel=${onClose} />
  <//>`
}

function none(page) {
  if (page > 1) {
    return html`<${Empty} title="This page is empty">The list has become shorter. Go back to see the rest.<//>`
  }
  return html`<${Empty} title="No webhooks yet">
    A webhook tells an address of yours when a memory is stored, changed or deleted. Create one with the button above.
  <//>`
}

const COLUMNS = [
  {
    title: 'Receiver',
    cell: ({ id, url, description }) => html`
      <${Link} to=${`/webhooks/${id}`} class="wrap">${url}<//>
      ${description && html`<br /><small class="quiet" dir="auto">${description}</small>`}
    `,
  },
  { title: 'State', cell: webhook => html`<${State} webhook=${webhook} />` },
  { title: 'Events', cell: ({ events }) => eventsOf(events) },
  { title: 'Last success', cell: ({ last_success_at }) => html`<${Time} at=${last_success_at} />` },
  { title: 'Created', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
]

function eventsOf(events) {
  if (events.includes('*')) return 'All'
  const more = events.length - SHOWN_EVENTS
  return `${events.slice(0, SHOWN_EVENTS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
