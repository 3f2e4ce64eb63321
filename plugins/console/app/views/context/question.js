import { Field, Form, TextField } from '../../forms.tsx'
import { html } from '../../library.js'

const NAMED = { dir: 'auto', placeholder: 'All' }

const LENGTHS = [
  { value: '1000', title: '1,000' },
  { value: '2000', title: '2,000' },
  { value: '', title: '4,000' },
  { value: '10000', title: '10,000' },
  { value: '50000', title: '50,000' },
]

/**
 * Asks for a message, and whose memories may be told.
 *
 * @param {{query: Record<string, string>, onAsked: (values: Record<string, string>) => void}} props `query` is what was asked for last
 */
export function Question({ query, onAsked }) {
  const send = async values =>
    onAsked(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])))
  const given = name => ({ name, value: query[name] ?? '' })
  return html`<${Form} send=${send} action="Assemble the context">
    <${TextField}
      label="Message"
      dir="auto"
      required
      maxlength="50000"
      pattern=".*\\S.*"
      title="A message in words."
      placeholder="What should I cook for Grace on Friday?"
      hint="As a user would write it to the agent. It counts as a search."
      ...${given('message')}
    />
    <div class="filters">
      <${TextField} label="User" list="known-users" ...${NAMED} ...${given('user_id')} />
      <${TextField} label="Agent" list="known-agents" ...${NAMED} ...${given('agent_id')} />
      <${TextField} label="Session" ...${NAMED} ...${given('session_id')} />
      <${TextField} label="Category" list="known-categories" ...${NAMED} ...${given('categories')} />
      <${Field} label="Characters at most" options=${LENGTHS} ...${given('max_characters')} />
    </div>
  <//>`
}
