import { Link, navigate } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction, useData } from '../../data.ts'
import { Confirmed, Dialog } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button, Card, Fault, Head, Loaded, Notice, Time } from '../../parts.tsx'
import { Deliveries } from './deliveries.js'
import { Examples, useEventKinds } from './events.js'
import { WebhookForm } from './form.js'
import { Secret } from './secret.js'
import { State } from './state.js'

/** A webhook with its deliveries. @param {{id: string, secret?: string, onSecret: (webhook?: any) => void}} props */
export function Webhook({ id, secret, onSecret }) {
  const path = `/v1/webhooks/${encodeURIComponent(id)}`
  const webhook = useData(path)
  const kinds = useEventKinds()
  const [sent, setSent] = useState(0)
  const noteSent = async () => {
    setSent(count => count + 1)
    await webhook.reload()
  }
  return html`
    <p><${Link} to="/webhooks">All webhooks<//></p>
    <${Loaded} from=${webhook}>
      ${data => html`
        <${Head} title=${html`<span class="wrap">${data.url}</span>`} about=${data.description && html`<span dir="auto">${data.description}</span>`}>
          <${Actions} path=${path} webhook=${data} kinds=${kinds} reload=${webhook.reload} onSecret=${onSecret} />
        <//>
        ${secret && html`<${Secret} secret=${secret} onSeen=${() => onSecret(undefined)} />`}
        <${Facts} webhook=${data} />
        <${Test} path=${path} onSent=${noteSent} />
        <${Deliveries} path=${path} sent=${sent} kinds=${kinds} onSettled=${webhook.reload} />
        <${Card} title="Examples of what is sent">
          <p class="quiet">An example for each kind of event that this webhook has:</p>
          <${Examples} kinds=${kinds} events=${data.events} />
        <//>
      `}
    <//>
  `
}

function Actions({ path, webhook, kinds, reload, onSecret }) {
  const [isEditing, setEditing] = useState(false)
  const close = () => setEditing(false)
  const turn = useAction(async () => {
    await call('PATCH', path, { body: { active: !webhook.active } })
    await reload()
  })
  const rotate = async () => {
    onSecret(await call('POST', `${path}/rotate-secret`, { body: {} }))
    await reload()
  }
  const remove = async () => {
    const place = location.pathname
    await call('DELETE', path)
    if (location.pathname === place) navigate('/webhooks')
  }
  const onSaved = async () => {
    close()
    await reload()
  }
  return html`
    <${Button} onClick=${() => setEditing(true)}>Edit<//>
    <${Button} isBusy=${turn.isBusy} onClick=${turn.run}>${webhook.active ? 'Pause' : 'Resume'}<//>
    <${Confirmed} label="Rotate the secret" kind="plain" question=${ROTATION} act=${rotate} />
    <${Confirmed} label="Delete" question=${DELETION} act=${remove} />
    <${Fault} error=${turn.error} />
    ${
      isEditing &&
      html`<${Dialog} title="Edit the webhook" onClose=${close}>
        <${WebhookForm} webhook=${webhook} kinds=${kinds} onSaved=${onSaved} onCancel=${close} />
      <//>`
    }
  `
}

const ROTATION = `A new secret is made and shown once. For 24 hours webhook-signature holds a signature with each of the two, so that
receivers can change over; X-Webhook-Signature has the new one at once.`
const DELETION = 'The webhook is deleted with the record of its deliveries. Those that wait are not sent.'

function Facts({ webhook }) {
  const { active, events, last_success_at, previous_secret_until, created_at } = webhook
  return html`<${Card}>
    <dl class="facts">
      <dt>State</dt>
      <dd><${State} webhook=${webhook} /></dd>
      <dt>Events</dt>
      <dd>${events.includes('*') ? 'All' : events.map(event => html`<code key=${event}>${event}</code> `)}</dd>
      <dt>Last success</dt>
      <dd><${Time} at=${last_success_at} /></dd>
      <dt>Created</dt>
      <dd><${Time} at=${created_at} /></dd>
      ${previous_secret_until && html`<dt>Former secret holds until</dt><dd><${Time} at=${previous_secret_until} /></dd>`}
    </dl>
    ${!active && html`<p class="quiet">${PAUSE}</p>`}
  <//>`
}

const PAUSE = `While it is paused, new events are not delivered. Waiting deliveries are sent if it is resumed within 24 hours.`

/** Sends a test and shows what the receiver made of it. */
function Test({ path, onSent }) {
  const [result, setResult] = useState()
  const test = useAction(async () => {
    setResult(undefined)
    setResult(await call('POST', `${path}/test`, { body: {} }))
    await onSent()
  })
  return html`
    <div class="row">
      <${Button} isBusy=${test.isBusy} onClick=${test.run}>Send a test<//>
      <span class="quiet">${test.isBusy ? 'Waiting for the receiver …' : 'The receiver gets an event webhook.test at once.'}</span>
    </div>
    <${Fault} error=${test.error} />
    ${result && html`<${TestResult} result=${result} />`}
  `
}

function TestResult({ result: { status, response_code, error, duration_ms } }) {
  const answer = error ?? `The receiver answered with ${response_code}.`
  const time = duration_ms === null ? '' : `It took ${duration_ms.toLocaleString('en')} ms.`
  return html`<${Notice} kind=${status === 'SUCCEEDED' ? 'good' : 'bad'}><p>${answer} ${time}</p><//>`
}
