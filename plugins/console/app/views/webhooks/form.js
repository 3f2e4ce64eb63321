import { call } from '../../api.ts'
import { Check, Field, Form } from '../../forms.tsx'
import { html } from '../../library.js'
import { EventChoice } from './events.js'

/**
 * A form for a new webhook, or for the one that is given.
 *
 * @param {{webhook?: any, kinds: any, onSaved: (webhook: any) => unknown, onCancel: () => void}} props `onSaved` gets the secret of a new
 * webhook too
 */
export function WebhookForm({ webhook, kinds, onSaved, onCancel }) {
  const send = async (values, form) => {
    const events = eventsIn(form, { given: webhook?.events, areListed: kinds.data !== undefined })
    const body = { url: values.url.trim(), events, description: values.description.trim() || null }
    const saved = webhook
      ? await call('PATCH', `/v1/webhooks/${webhook.id}`, { body })
      : await call('POST', '/v1/webhooks', { body: { ...body, active: values.active !== undefined } })
    await onSaved(saved)
  }
  return html`<${Form} send=${send} action=${webhook ? 'Save the webhook' : 'Create the webhook'} onCancel=${onCancel}>
    <${Field}
      label="Address of the receiver"
      name="url"
      type="url"
      required
      placeholder="https://example.com/hooks/mneme"
      defaultValue=${webhook?.url ?? ''}
      hint="Events are posted here. It must be public, unless the service was started with ALLOW_PRIVATE_NETWORKS."
    />
    <${Field}
      label="Description"
      name="description"
      dir="auto"
      defaultValue=${webhook?.description ?? ''}
      hint="It says what the webhook is for."
    />
    <${EventChoice} kinds=${kinds} chosen=${webhook?.events} />
    ${webhook === undefined && html`<${Check} label="Send events at once" name="active" defaultChecked />`}
  <//>`
}

/** The chosen kinds; undefined, so that they stay, where they are those that the webhook has or cannot be chosen yet. */
function eventsIn(form, { given, areListed }) {
  const events = new FormData(form).getAll('events')
  if (given && (!areListed || hasSame(events, given))) return undefined
  if (events.length === 0) throw new Error('Choose at least one kind of event.')
  return events
}

function hasSame(some, others) {
  return some.length === others.length && some.every(name => others.includes(name))
}
