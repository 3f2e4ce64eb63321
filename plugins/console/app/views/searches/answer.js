import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import { Explanation } from '../../explanation.js'
import { html } from '../../library.js'
import { Badge, Notice } from '../../parts.tsx'

/** Tells where the memory is among the results, or each reason that keeps it out, and its score. */
export function Answer({ answer }) {
  const { memory_id, found, reasons, explanation } = answer
  const against = reasons.filter(({ code }) => code !== 'FOUND')
  return html`
    <${Notice} kind=${found ? 'good' : 'warn'}>
      <p><strong>${found ? placeOf(answer) : 'The search does not find this memory.'}</strong></p>
      ${against.length > 0 && html`<ul>${against.map(reason)}</ul>`}
    <//>
    <${Memory} id=${memory_id} />
    <${Score} answer=${answer} />
    ${explanation && html`<${Explanation} explanation=${explanation} />`}
  `
}

const reason = ({ code, message }) => html`<li key=${code} dir="auto">${message}</li>`

const COUNTED = 1000

function placeOf({ rank, page, total }) {
  const all = total >= COUNTED ? `${COUNTED.toLocaleString('en')} or more` : total.toLocaleString('en')
  return `The memory is in place ${rank} of ${all}, on page ${page}.`
}

/** Shows the text of the memory, for those who came with its id alone. */
function Memory({ id }) {
  const { data } = useData(`/v1/memories/${id}`)
  return html`<blockquote>
    ${data && html`<p class="clipped" dir="auto">${data.memory}</p>`}
    <p class="quiet">
      ${data && html`Of <b dir="auto">${data.user_id}</b>. `}
      <${Link} to=${`/memories/${id}`}>Open the memory<//>
    </p>
  </blockquote>`
}

function Score({ answer: { found, score, best_score, relevance } }) {
  if (score === null) return html`<p class="quiet">It has no score, as it is not in the index.</p>`
  return html`<p>
    ${found ? 'Its score is' : 'If it passed, its score would be'} <strong>${score.toFixed(2)}</strong>
    ${relevance && html` <${Badge} kind=${KINDS[relevance]}>${`${relevance} relevance`}<//>`}.
    ${best_score !== null && ` The first result has ${best_score.toFixed(2)}.`}
  </p>`
}

const KINDS = { HIGH: 'good', MEDIUM: 'info', LOW: 'warn' }
