import { Dialog, Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Card, Notice } from '../../parts.tsx'

const DAYS_MAX = 3650

/** Sets after how many days permanent memories are deleted. A shorter time deletes, so it is asked about. */
export function Retention({ days, change }) {
  const [asked, setAsked] = useState()
  const [isSaved, setSaved] = useState(false)
  const save = async wanted => {
    await change({ settings: { retention_days: wanted } })
    setAsked(undefined)
    setSaved(true)
  }
  const send = async (_, form) => {
    const wanted = daysIn(form.elements.retention_days)
    if (wanted !== null && (days === null || wanted < days)) setAsked(wanted)
    else await save(wanted)
  }
  return html`<${Card} title="Retention">
    <${Form} send=${send} action="Save the retention" onInput=${() => setSaved(false)}>
      <${Field}
        label="Days after their last change until memories are deleted"
        name="retention_days"
        type="number"
        min="1"
        max=${DAYS_MAX}
        step="1"
        placeholder="Never"
        defaultValue=${days ?? ''}
        hint="This is about permanent memories; TASK memories expire by themselves. Empty: they are kept until somebody deletes them."
      />
      ${isSaved && html`<${Notice} kind="good"><p>The retention is saved.</p><//>`}
    <//>
    ${asked !== undefined && html`<${Question} days=${asked} save=${save} onClose=${() => setAsked(undefined)} />`}
  <//>`
}

/** The number in the field, null where it is empty. What is no number has no value either, and must not pass for empty. */
function daysIn({ value, validity }) {
  if (validity.badInput) throw new Error('Write a whole number of days, or nothing.')
  return value.trim() === '' ? null : Number(value)
}

function Question({ days, save, onClose }) {
  const action = `Delete after ${daysOf(days)}`
  return html`<${Dialog} title=${action} onClose=${onClose}>
    <p>${warningOf(days)}</p>
    <${Form} send=${() => save(days)} action=${action} kind="danger" onCancel=${onClose} />
  <//>`
}

const daysOf = count => (count === 1 ? '1 day' : `${count} days`)

function warningOf(count) {
  return `All permanent memories of this workspace that were not changed for ${daysOf(count)} are deleted for good, the first
within an hour, and from then on each that becomes as old. Searches and webhook deliveries are kept no longer either.`
}
