import { Link } from '../../address.tsx'
import { Explanation } from '../../explanation.js'
import { html, useState } from '../../library.js'
import { Badge, Time } from '../../parts.tsx'
import { Feedback } from './feedback.js'
import { figure, partOf, shortened } from './texts.js'

const RELEVANCES = { HIGH: 'good', MEDIUM: 'info', LOW: 'plain' }

/** The results of a search, best first. */
export function Results({ memories, queryHash }) {
  return html`<ol class="results" aria-label="Results">
    ${memories.map(
      memory => html`<${Result} key=${`${queryHash} ${memory.id}`} memory=${memory} queryHash=${queryHash} />`,
    )}
  </ol>`
}

function Result({ memory, queryHash }) {
  const { id, relevance, score, status, categories, user_id, created_at, explanation } = memory
  const passage = explanation?.passage
  const text = passage ? partOf(memory.memory, passage) : shortened(memory.memory, 400)
  return html`<li class="card">
    <p><${Link} to=${`/memories/${id}`} dir="auto" class="clipped">${text}<//></p>
    <p class="row quiet">
      <${Badge} kind=${RELEVANCES[relevance]}>${`${relevance} relevance`}<//>
      ${score !== undefined && html`<span>Score ${figure(score)}</span>`}
      ${status !== 'COMPLETED' && html`<${Badge}>${status}<//>`}
      ${categories.length > 0 && html`<span dir="auto">${shortened(categories.join(', '), 60)}</span>`}
      <span dir="auto">${shortened(user_id, 30)}</span>
      <${Time} at=${created_at} />
    </p>
    ${explanation && html`<${Why} explanation=${explanation} />`}
    <${Feedback} id=${id} queryHash=${queryHash} />
  </li>`
}

function Why({ explanation }) {
  const [isOpen, setOpen] = useState(false)
  return html`<details onToggle=${event => setOpen(event.currentTarget.open)}>
    <summary>Explain the score</summary>
    ${isOpen && html`<div class="stack"><${Explanation} explanation=${explanation} /></div>`}
  </details>`
}
