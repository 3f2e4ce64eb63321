import { Confirmed, Field, Form } from '../../app/forms.js'
import { html, useState } from '../../app/library.js'
import { Card, Notice } from '../../app/parts.js'

const DAYS_MAX = 3650

/** Sets after how many days memories are deleted. A shorter time deletes, so it is asked about. */
export function Retention({ days, change }) {
  const [text, setText] = useState(days === null ? '' : String(days))
  const [isSaved, setSaved] = useState(false)
  const wanted = text.trim() === '' ? null : Number(text)
  const isDays = wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= DAYS_MAX)
  const deletes = wanted !== null && isDays && (days === null || wanted < days)
  const save = async () => {
    await change({ settings: { retention_days: wanted } })
    setSaved(true)
  }
  const edit = ({ target }) => {
    setText(target.value)
    setSaved(false)
  }
  return html`<${Card} title="Retention">
    <div class="stack">
      <${Field}
        label="Days after their last change in which memories are deleted"
        name="retention_days"
        type="number"
        min="1"
        max=${DAYS_MAX}
        step="1"
        placeholder="Never"
        value=${text}
        onInput=${edit}
        hint="Empty: memories are kept until somebody deletes them."
      />
      ${
        deletes
          ? html`<${Notice} kind="warn"><p>${warningOf(wanted)}</p><//>
            <div class="row end">
              <${Confirmed} label=${`Delete after ${daysOf(wanted)}`} question=${warningOf(wanted)} act=${save} />
            </div>`
          : html`<${Form} send=${save} action="Save the retention" />`
      }
      ${isSaved && html`<${Notice} kind="good"><p>The retention is saved.</p><//>`}
    </div>
  <//>`
}

const daysOf = count => (count === 1 ? '1 day' : `${count} days`)

function warningOf(count) {
  return `All memories of this workspace that were not changed for ${daysOf(count)} are deleted for good, the first within
an hour, and from then on each that becomes as old. Searches and webhook deliveries are kept no longer either.`
}
