import { Link } from '../../address.tsx'
import { html } from '../../library.js'
import { Badge, Card, Copyable, Time } from '../../parts.tsx'
import { LAYERS, PRIORITIES, titleOf } from './options.js'
import { counted } from './texts.js'

const SOURCES = {
  API: 'The API or the console',
  INGEST: 'A file or a page',
  TEMPLATE: 'A template',
  CONVERSATION: 'A conversation',
  IMPORT: 'An import',
}

/** The fields of a memory. */
export function Facts({ memory }) {
  const { status, priority, categories, user_id, agent_id, session_id, layer, expires_at, source } = memory
  const facts = [
    ['Status', html`<${Badge}>${status}<//>`],
    ['Priority', titleOf(PRIORITIES, priority)],
    ['Categories', categories.length > 0 && html`<span dir="auto">${categories.join(', ')}</span>`],
    ['User', html`<${Others} name="user_id" value=${user_id} />`],
    ['Agent', agent_id && html`<${Others} name="agent_id" value=${agent_id} />`],
    ['Session', session_id && html`<${Others} name="session_id" value=${session_id} />`],
    ['Stays', titleOf(LAYERS, layer)],
    ['Expires', expires_at && html`<${Time} at=${expires_at} />`],
    ['Comes from', SOURCES[source] ?? source],
    ['Read', html`<${Reads} memory=${memory} />`],
    ['Feedback', html`<${Ratings} feedback=${memory.feedback} />`],
    ['Created', html`<${Time} at=${memory.created_at} />`],
    ['Last changed', html`<${Time} at=${memory.updated_at} />`],
    ['Id', html`<${Copyable} text=${memory.id} />`],
  ]
  const known = facts.filter(([, value]) => value)
  return html`<${Card} title="Fields">
    <dl class="facts">${known.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd>${value}</dd>`)}</dl>
  <//>`
}

/** Leads to the memories that have the same value. */
function Others({ name, value }) {
  return html`<${Link} to=${`/memories?${new URLSearchParams({ [name]: value })}`} dir="auto">${value}<//>`
}

function Reads({ memory: { access_count, last_accessed_at } }) {
  if (access_count === 0) return 'Never'
  return html`${counted(access_count, 'time', 'times')}, last <${Time} at=${last_accessed_at} />`
}

const SIGNALS = { POSITIVE: 'helpful', NEGATIVE: 'not helpful', NEUTRAL: 'neutral' }

function Ratings({ feedback }) {
  if (feedback === null) return 'None yet'
  const { positive, negative, neutral, last_signal, last_feedback_at } = feedback
  return html`${positive} helpful, ${negative} not helpful, ${neutral} neutral; the last was${' '}
    ${SIGNALS[last_signal]}, <${Time} at=${last_feedback_at} />`
}
