import { Link } from '../../address.tsx'
import { CopiedText } from '../../copied-text.js'
import { html } from '../../library.js'

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
      <${CopiedText} label="Copy the text" text=${withoutSources(content)} />
      <${CopiedText} label="Copy with sources" text=${content} />
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
