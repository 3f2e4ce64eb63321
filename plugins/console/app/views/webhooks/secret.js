import { html, useEffect, useRef } from '../../library.js'
import { Button, Copyable, Notice } from '../../parts.tsx'
import { useUnsaved } from '../../unsaved.ts'

/** The signing secret, while it can be seen. */
export function Secret({ secret, onSeen }) {
  const place = useRef(null)
  const unsaved = useUnsaved()
  useEffect(() => unsaved.note(place.current), [])
  return html`<${Notice} kind="warn">
    <div class="stack" ref=${place}>
      <p><strong>Copy the signing secret now. It is not shown again.</strong></p>
      <${Copyable} text=${secret} label="Copy the secret" />
      <p>
        Your receiver checks the header <code>webhook-signature</code> with it (Standard Webhooks), and so knows that a delivery
        comes from this service and was not changed on its way.
      </p>
      <div class="row"><${Button} onClick=${onSeen}>I have stored it<//></div>
    </div>
  <//>`
}
