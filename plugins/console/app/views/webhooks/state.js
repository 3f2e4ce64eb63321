import { html } from '../../library.js'
import { Badge, Time } from '../../parts.tsx'

/** Tells whether deliveries are made, and since when they fail. */
export function State({ webhook: { active, failing_since, last_success_at } }) {
  const failing =
    failing_since &&
    html`<${Badge} kind="bad">Failing<//> <small class="quiet">since <${Time} at=${failing_since} /></small>`
  if (!active) return html`<${Badge} kind="warn">Paused<//> ${failing}`
  if (failing) return failing
  return last_success_at ? html`<${Badge} kind="good">Working<//>` : html`<${Badge} kind="info">No success yet<//>`
}
