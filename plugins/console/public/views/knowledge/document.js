import { Link } from '../../app/address.js'
import { Dialog, Field } from '../../app/forms.js'
import { html, useState } from '../../app/library.js'
import { Button } from '../../app/parts.js'

const SOURCES = /[ \t]*<!--\s*memories:([0-9a-f\s,-]*)-->/gi

/** The text of a document without the comments that name memories. */
export function withoutSources(content) {
  return content.replace(SOURCES, '')
}

/** A document as text; the memories of each statement are links behind it. */
export function Document({ content }) {
  const parts = content.split(SOURCES)
  return html`
    <pre class="document" dir="auto" tabindex="0" role="region" aria-label="Text">${parts.map((part, index) =>
      index % 2 === 0 ? part : links(part),
    )}</pre>
    <div class="row">
      <${Copy} label="Copy the text" text=${withoutSources(content)} />
      <${Copy} label="Copy with sources" text=${content} />
    </div>
  `
}

/** Marks which memories a statement comes from, from 1 within each statement. */
function links(list) {
  const ids = list.split(',').map(id => id.trim())
  return ids.filter(Boolean).map(
    (id, index) =>
      html` <${Link} key=${id} to=${`/memories/${id}`} aria-label=${`Memory ${index + 1} of this statement`}>
          [${index + 1}]
        <//>`,
  )
}

const SHOWN_MS = 3000

/**
 * A button that copies a text. Browsers let a page copy over HTTPS and on the own machine only; elsewhere the button
 * shows the text, selected.
 */
function Copy({ label, text }) {
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
