import { useAddress } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { Field } from '../../forms.tsx'
import { html, useEffect, useRef, useState } from '../../library.js'
import { Paged, usePage } from '../../paged.tsx'
import { Badge, Button, Card, Empty, Fault, Notice, Table, Time } from '../../parts.tsx'
import { SendFailedAgain } from './send-failed-again.js'

/** The API counts the deliveries of a webhook up to this number. */
const COUNTED_MAX = 10_000

const isPending = ({ status }) => status === 'PENDING'
const anyPending = ({ data }) => data.some(isPending)

/**
 * What was sent to a receiver, and what it answered.
 *
 * @param {{path: string, sent: number, kinds: any, onSettled: () => unknown}} props the list is loaded anew when `sent` changes; `onSettled`
 * is called when a delivery that was waiting has ended
 */
export function Deliveries({ path, sent, kinds, onSettled }) {
  const { query, set } = useAddress()
  const { status, event } = query
  const [message, setMessage] = useState()
  const asked = { status, event }
  const deliveries = usePage(`${path}/deliveries`, asked, { goesOn: anyPending })
  useChange(sent, deliveries.reload)
  useChange(deliveries.data?.data.filter(isPending).length, onSettled)
  const again = useAction(async id => {
    await call('POST', `${path}/deliveries/${id}/redeliver`, { body: {} })
    await deliveries.reload()
  })
  const noteSent = async said => {
    setMessage(said)
    await deliveries.reload()
  }
  return html`<${Card} title="Deliveries">
    <div class="stack">
      <div class="head">
        <${Filters} query=${query} set=${set} kinds=${kinds} />
        <div class="row">
          <${Button} onClick=${deliveries.reload}>Refresh<//>
          <${SendFailedAgain} path=${path} onSent=${noteSent} />
        </div>
      </div>
      ${message && html`<${Notice} kind="good"><p>${message}</p><//>`}
      <${Fault} error=${again.error} />
      <${Paged} from=${deliveries} none=${none(asked)}>
        ${({ data, total }) => html`
          <${Rows} deliveries=${data} again=${again} />
          ${total >= COUNTED_MAX && html`<p class="quiet">Deliveries are counted up to ${COUNTED_MAX.toLocaleString('en')}.</p>`}
        `}
      <//>
    </div>
  <//>`
}

/** Acts when the value is another than at the last rendering, but not when it is first known. */
function useChange(value, act) {
  const before = useRef(value)
  useEffect(() => {
    const isChange = before.current !== undefined && value !== undefined && before.current !== value
    if (value !== undefined) before.current = value
    if (isChange) void act()
  }, [value])
}

const STATUSES = [
  { value: '', title: 'All' },
  { value: 'PENDING', title: 'Waiting' },
  { value: 'SUCCEEDED', title: 'Succeeded' },
  { value: 'FAILED', title: 'Failed' },
]

function Filters({ query, set, kinds }) {
  const known = (kinds.data?.data ?? []).map(({ event, label }) => ({ value: event, title: label }))
  const events = [{ value: '', title: 'All' }, ...known, { value: 'webhook.test', title: 'Test' }]
  return html`<form class="inline" aria-label="Filters" onSubmit=${event => event.preventDefault()}>
    <${Field}
      label="Status"
      name="status"
      options=${STATUSES}
      value=${query.status ?? ''}
      onChange=${({ target }) => set({ status: target.value })}
    />
    <${Field}
      label="Event"
      name="event"
      options=${events}
      value=${query.event ?? ''}
      onChange=${({ target }) => set({ event: target.value })}
    />
  </form>`
}

function none({ status, event }) {
  if (status || event) return html`<${Empty} title="No delivery fits">Choose another status or event.<//>`
  return html`<${Empty} title="Nothing sent yet">
    Each event of the chosen kinds is listed here with the answer of the receiver, for 30 days. Send a test to see one.
  <//>`
}

function Rows({ deliveries, again }) {
  const columns = [
    { title: 'Event', cell: ({ event }) => event },
    { title: 'Status', cell: delivery => html`<${State} delivery=${delivery} />` },
    { title: 'Answer', cell: delivery => html`<${Answer} delivery=${delivery} />` },
    { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
    { title: 'Created', cell: ({ created_at }) => html`<${Time} at=${created_at} />` },
    { title: 'Action', cell: delivery => html`<${SendAgain} delivery=${delivery} again=${again} />` },
  ]
  return html`<${Table} label="Deliveries" columns=${columns} rows=${deliveries} />`
}

function SendAgain({ delivery: { id, event, status, created_at }, again }) {
  const label = status === 'PENDING' ? 'Send now' : 'Send again'
  const named = `${label}: ${event} of ${new Date(created_at).toLocaleString('en-GB')}`
  return html`<${Button} isBusy=${again.isBusy} onClick=${() => again.run(id)} aria-label=${named}>${label}<//>`
}

function State({ delivery: { status, next_attempt_at } }) {
  return html`<${Badge}>${status}<//>
    ${
      status === 'PENDING' &&
      next_attempt_at &&
      html`<br /><small class="quiet">next attempt <${Time} at=${next_attempt_at} /></small>`
    }`
}

function Answer({ delivery: { id, response_code, response_body, error, duration_ms } }) {
  const parts = [
    response_code === null ? undefined : `Status ${response_code}`,
    duration_ms === null ? undefined : `${duration_ms.toLocaleString('en')} ms`,
  ].filter(Boolean)
  return html`
    ${parts.length > 0 ? html`<span class="whole">${parts.join(', ')}</span>` : html`<span class="quiet">–</span>`}
    ${error && html`<br /><small dir="auto">${error}</small>`}
    <details>
      <summary>Show more</summary>
      <p><small class="quiet">Header <code>webhook-id</code>: <code>${id}</code></small></p>
      ${response_body ? html`<pre dir="auto">${response_body}</pre>` : html`<p class="quiet">The answer has no body.</p>`}
    </details>
  `
}
