import { Link } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { Field, Form } from '../../forms.tsx'
import { html, useRef, useState } from '../../library.js'
import { Badge, Button, Card, Fault, Notice, Table } from '../../parts.tsx'
import { Texts } from './texts.js'

/** A form for the values of the variables, with a preview, that stores the memories for a user. */
export function Apply({ template: { id, variables } }) {
  const [values, setValues] = useState(new Map())
  const [shown, setShown] = useState({})
  const given = Object.fromEntries([...values].filter(([, value]) => value !== ''))
  const preview = usePreview(id, memories => setShown({ preview: memories }))
  const send = async ({ user_id, agent_id, session_id }) => {
    const body = {
      variables: given,
      user_id: orNull(user_id),
      agent_id: orNull(agent_id),
      session_id: orNull(session_id),
    }
    preview.forget()
    const applied = await call('POST', `/v1/templates/${id}/apply`, { body })
    preview.forget()
    setShown({ applied })
  }
  const change = (name, value) => {
    preview.forget()
    setValues(before => new Map(before).set(name, value))
    setShown(({ applied }) => ({ applied }))
  }
  return html`
    <${Card} title="Apply it to a user">
      <${Form} send=${send} action="Store the memories">
        <div class="grid">
          <${Field}
            label="User"
            name="user_id"
            placeholder="default"
            dir="auto"
            hint="The memories belong to this user."
          />
          <${Field} label="Agent" name="agent_id" dir="auto" hint="May be left empty." />
          <${Field} label="Session" name="session_id" dir="auto" hint="May be left empty." />
        </div>
        <div class="grid">
          ${variables.map(
            variable =>
              html`<${Value}
                key=${variable.name}
                variable=${variable}
                value=${values.get(variable.name) ?? ''}
                onChange=${change}
              />`,
          )}
        </div>
        <${Fault} error=${preview.error} />
        <div class="row end"><${Button} isBusy=${preview.isBusy} onClick=${() => preview.run(given)}>Preview<//></div>
      <//>
    <//>
    ${shown.preview && html`<${Card} title="Preview"><${Texts} memories=${shown.preview} label="Preview" /><//>`}
    ${shown.applied && html`<${Applied} result=${shown.applied} />`}
  `
}

/** Asks what memories the values make. `forget` makes a preview that is under way, and its error, count no more. */
function usePreview(id, onMemories) {
  const round = useRef(0)
  const { run, error, isBusy, forget } = useAction(async variables => {
    const own = round.current
    const { memories, failure } = await call('POST', `/v1/templates/${id}/preview`, { body: { variables } }).catch(
      problem => ({ failure: problem }),
    )
    if (round.current !== own) return
    if (failure) throw failure
    onMemories(memories)
  })
  const forgetAll = () => {
    round.current += 1
    forget()
  }
  return { run, error, isBusy, forget: forgetAll }
}

function Value({ variable, value, onChange }) {
  const { name, required } = variable
  const fallback = variable.default
  return html`<${Field}
    label=${name}
    name=${`variables.${name}`}
    dir="auto"
    value=${value}
    onInput=${event => onChange(name, event.target.value)}
    required=${required && fallback === null}
    placeholder=${fallback ?? ''}
    hint=${hintOf(required, fallback)}
  />`
}

function hintOf(required, fallback) {
  if (fallback !== null) return 'Left empty, it has its default.'
  return required ? 'A value is required.' : 'May be left empty.'
}

const orNull = text => text.trim() || null

const COLUMNS = [
  {
    title: 'Memory',
    cell: ({ id, memory }) =>
      html`<${Link} to=${`/memories/${id}`}><span class="clipped written" dir="auto">${memory}</span><//>`,
  },
  { title: 'User', cell: ({ user_id }) => html`<span dir="auto">${user_id}</span>` },
  { title: 'Status', cell: ({ status }) => html`<${Badge}>${status}<//>` },
]

function Applied({ result: { memories_created, memories_skipped, memories } }) {
  return html`<${Card} title="Memories that were stored">
    <${Notice} kind="good">
      <p>
        ${counted(memories_created)} created.${' '}
        ${memories_skipped > 0 && `${counted(memories_skipped)} skipped, as the workspace has the text already.`}
      </p>
    <//>
    ${memories.length > 0 && html`<${Table} label="Memories that were stored" columns=${COLUMNS} rows=${memories} />`}
  <//>`
}

const counted = count => (count === 1 ? '1 memory was' : `${count} memories were`)
