import { Dialog, Field } from './forms.tsx'
import { html, useState } from './library.js'
import { Button } from './parts.tsx'

const SHOWN_MS = 3000

/**
 * A button that copies a text of any length. Browsers let a page copy over HTTPS and on the own machine only; elsewhere the
 * button shows the text, selected.
 */
export function CopiedText({ label, text }) {
  const [done, setDone] = useState('')
  const [isShown, setShown] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('Copied')
      setTimeout(() => setDone(''), SHOWN_MS)
    } catch {
      setShown(true)
    }
  }
  return html`
    <${Button} onClick=${copy} aria-live="polite">${done || label}<//>
    ${isShown && html`<${Selected} label=${label} text=${text} onClose=${() => setShown(false)} />`}
  `
}

function Selected({ label, text, onClose }) {
  const select = event => event.target.select()
  return html`<${Dialog} title=${label} onClose=${onClose}>
    <div class="stack">
      <${Field}
        label="Press Ctrl+C to copy it"
        rows=${12}
        dir="auto"
        readonly
        autofocus
        value=${text}
        onFocus=${select}
      />
      <div class="row end"><${Button} onClick=${onClose}>Close<//></div>
    </div>
  <//>`
}
