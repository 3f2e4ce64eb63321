import { ROOT } from '../../address.tsx'
import { html, useEffect, useRef } from '../../library.js'
import { Button, Copyable, Notice } from '../../parts.tsx'
import { useUnsaved } from '../../unsaved.ts'

/** A new key, while it can be seen, with a request that tries it. */
export function ShownKey({ shown, onSeen }) {
  const place = useRef(null)
  const unsaved = useUnsaved()
  useEffect(() => {
    place.current.scrollIntoView({ block: 'nearest' })
    unsaved.note(place.current)
  }, [])
  return html`<div ref=${place}>
    <${Notice} kind="warn">
      <div class="stack">
        <p><strong>Copy the key of “<span dir="auto">${shown.name}</span>” now. It is not shown again.</strong></p>
        <${Copyable} text=${shown.key} label="Copy the key" />
        <p>This request tries it:</p>
        <${Copyable} text=${exampleOf(shown)} label="Copy the request" />
        <div class="row"><${Button} onClick=${onSeen}>I have stored it<//></div>
      </div>
    <//>
  </div>`
}

/** A request that the key is allowed to make, whatever its permissions are. */
function exampleOf({ key, permissions }) {
  const path = permissions.includes('memory.read') ? '/v1/memories' : '/v1/api-keys/permissions'
  return `curl -s ${location.origin}${ROOT}${path} -H 'X-Api-Key: ${key}'`
}
