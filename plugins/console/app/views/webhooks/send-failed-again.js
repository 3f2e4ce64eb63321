import { call } from '../../api.ts'
import { Dialog, Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button } from '../../parts.tsx'

const HOUR_MS = 3_600_000

const PERIODS = [
  { value: '1', title: 'the last hour' },
  { value: '24', title: 'the last day' },
  { value: '168', title: 'the last week' },
  { value: '720', title: 'the last 30 days' },
]

/** Asks from when on, and queues all deliveries that have failed since. `onSent` is told what the service says of it. */
export function SendFailedAgain({ path, onSent }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const send = async ({ hours }) => {
    const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString()
    const { message } = await call('POST', `${path}/redeliver`, { body: { since } })
    close()
    await onSent(message)
  }
  return html`
    <${Button} onClick=${() => setAsking(true)}>Send all failed again<//>
    ${
      isAsking &&
      html`<${Dialog} title="Send all failed again" onClose=${close}>
        <p>Each delivery that has failed gets another round of attempts, the oldest first. Tests are left out.</p>
        <${Form} send=${send} action="Send again" onCancel=${close}>
          <${Field} label="Events of" name="hours" options=${PERIODS} value="24" />
        <//>
      <//>`
    }
  `
}
