import { Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Badge, Card, Copyable, Notice, Time } from '../../parts.tsx'

const PLANS = [
  { value: 'free', title: 'Free' },
  { value: 'pro', title: 'Pro' },
  { value: 'scale', title: 'Scale' },
  { value: 'unlimited', title: 'Unlimited' },
]

/** The name and the plan of a workspace; a test twin has the plan of its workspace. */
export function Identity({ workspace, change }) {
  const { id, name, plan, mode, created_at } = workspace
  const [isSaved, setSaved] = useState(false)
  const isTwin = mode === 'test'
  const send = async values => {
    setSaved(false)
    await change({ name: values.name, plan: values.plan === plan ? undefined : values.plan })
    setSaved(true)
  }
  return html`<${Card} title="Workspace">
    <div class="stack">
      <dl class="facts">
        <dt>Id</dt>
        <dd><${Copyable} text=${id} /></dd>
        <dt>Mode</dt>
        <dd><${Badge} kind=${isTwin ? 'info' : 'good'}>${mode}<//></dd>
        <dt>Created</dt>
        <dd><${Time} at=${created_at} /></dd>
      </dl>
      ${
        isTwin
          ? html`<p>Its name and its plan (<${Badge}>${plan}<//>) are those of the live workspace beside it.</p>`
          : html`<${Form} send=${send} action="Save" onInput=${() => setSaved(false)}>
            <${Field} label="Name" name="name" required dir="auto" defaultValue=${name} />
            <${Field}
              label="Plan"
              name="plan"
              options=${PLANS}
              value=${plan}
              hint="It decides which parts there are and how much of each. What a smaller plan lacks stops at once."
            />
            ${isSaved && html`<${Notice} kind="good"><p>The workspace is saved.</p><//>`}
          <//>`
      }
    </div>
  <//>`
}
