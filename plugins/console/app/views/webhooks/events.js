import { useData } from '../../data.ts'
import { Check } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Loaded } from '../../parts.tsx'

const KINDS_MAX = 100
const ALL = '*'

/** All kinds of events that a webhook can have. */
export function useEventKinds() {
  return useData('/v1/webhooks/events', { page_size: KINDS_MAX })
}

/** Boxes named `events` that choose the kinds, also those that were chosen and are no longer listed. @param {{kinds: any, chosen?: string[]}} props */
export function EventChoice({ kinds, chosen = [] }) {
  const [events, setEvents] = useState(() => new Set(chosen))
  const takesAll = events.has(ALL)
  const toggle = event => {
    const next = new Set(events)
    if (!next.delete(event)) next.add(event)
    setEvents(next)
  }
  return html`<fieldset class="choice">
    <legend>Events</legend>
    <${Check}
      name="events"
      value=${ALL}
      label="All, with those of later versions and plugins"
      checked=${takesAll}
      onChange=${() => toggle(ALL)}
    />
    <${Loaded} from=${kinds}>
      ${({ data }) =>
        [...data, ...unlistedOf(chosen, data)].map(
          ({ event, label, description }) => html`<${Check}
            key=${event}
            name="events"
            value=${event}
            label=${html`${label} <code>${event}</code><br /><small class="quiet">${description}</small>`}
            checked=${takesAll || events.has(event)}
            disabled=${takesAll}
            onChange=${() => toggle(event)}
          />`,
        )}
    <//>
  </fieldset>`
}

function unlistedOf(chosen, listed) {
  const known = new Set([ALL, ...listed.map(({ event }) => event)])
  const description = 'The service does not have this kind at present.'
  return chosen.filter(event => !known.has(event)).map(event => ({ event, label: 'Not listed:', description }))
}

/** An example of what the receiver gets for each kind of event that the webhook has. */
export function Examples({ kinds, events }) {
  const has = event => events.includes(ALL) || events.includes(event)
  return html`<${Loaded} from=${kinds}>
    ${({ data }) =>
      data
        .filter(({ event }) => has(event))
        .map(
          ({ event, label, example }) => html`<details key=${event}>
            <summary>${label} <code>${event}</code></summary>
            <pre dir="ltr">${JSON.stringify(example, null, 2)}</pre>
          </details>`,
        )}
  <//>`
}
