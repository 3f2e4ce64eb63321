import { Link, navigate, useAddress } from '../address.tsx'
import { Dialog } from '../forms.tsx'
import { html, useRef, useState } from '../library.js'
import { Paged, usePage } from '../paged.tsx'
import { Button, Empty, Head, Table, Time } from '../parts.tsx'
import { useEventKinds } from './webhooks/events.js'
import { WebhookForm } from './webhooks/form.js'
import { State } from './webhooks/state.js'
import { Webhook } from './webhooks/webhook.js'

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
  const [isCreating, setCreating] = useState(false)
  const webhooks = usePage('/v1/webhooks')
  return html`
    <${Head} title="Webhooks" about="The service sends events of this workspace to these addresses, as signed JSON.">
      <${Button} kind="first" onClick=${() => setCreating(true)}>Create a webhook<//>
    <//>
    ${isCreating && html`<${Create} onSecret=${onSecret} onClose=${() => setCreating(false)} />`}
    <${Paged} from=${webhooks} none=${html`<${None} />`}>
      ${({ data }) => html`<${Table} label="Webhooks" columns=${COLUMNS} rows=${data} />`}
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

function None() {
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
