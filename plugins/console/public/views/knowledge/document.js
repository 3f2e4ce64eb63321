import { Link } from '../../app/address.js'
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

const SHOWN_MS = 2000

function Copy({ label, text }) {
  const [state, setState] = useState(label)
  const copy = async () => {
    // Browsers offer the clipboard only to pages that come over HTTPS or from the same machine.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setState(isCopied ? 'Copied' : 'The browser refused; select the text by hand')
    setTimeout(() => setState(label), SHOWN_MS)
  }
  return html`<${Button} onClick=${copy} aria-live="polite">${state}<//>`
}
