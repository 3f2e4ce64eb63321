import { Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button, Card, Notice } from '../../parts.tsx'
import { bodyOf, draftOf, emptyMemory, emptyVariable, missingVariables } from './draft.js'
import { MemoryRow, VariableRow } from './rows.js'

/**
 * A form for all of a template.
 *
 * @param {{template?: any, action: string, save: (body: any) => Promise<unknown>, onEdit?: () => void}} props
 * `onEdit` is called when a field changes
 */
export function Editor({ template, action, save, onEdit }) {
  const [draft, setDraft] = useState(() => draftOf(template))
  const change = changes => {
    setDraft(before => ({ ...before, ...changes }))
    onEdit?.()
  }
  const send = () => save(bodyOf(draft))
  return html`<${Form} send=${send} action=${action}>
    <${Card} title="Template">
      <div class="stack">
        <${Field}
          label="Name"
          name="name"
          required
          dir="auto"
          value=${draft.name}
          onInput=${event => change({ name: event.target.value })}
        />
        <${Field}
          label="Description"
          name="description"
          rows=${2}
          dir="auto"
          hint="It says what the template is for."
          value=${draft.description}
          onInput=${event => change({ description: event.target.value })}
        />
      </div>
    <//>
    <${Memories} draft=${draft} change=${change} />
    <${Variables} draft=${draft} change=${change} />
  <//>`
}

const MEMORIES_MAX = 100

function Memories({ draft: { memories }, change }) {
  const replace = (key, changes) => change({ memories: replaced(memories, key, changes) })
  const remove = key => change({ memories: memories.filter(memory => memory.key !== key) })
  return html`<${Card} title="Memories">
    <p class="quiet">Write ${'{{name}}'} in a text, a category or metadata where the value of the variable goes.</p>
    <div class="stack">
      ${memories.map(
        (memory, n) => html`<${MemoryRow}
          key=${memory.key}
          number=${n + 1}
          memory=${memory}
          onChange=${changes => replace(memory.key, changes)}
          onRemove=${memories.length > 1 ? () => remove(memory.key) : undefined}
        />`,
      )}
      ${
        memories.length < MEMORIES_MAX &&
        html`<div class="row">
          <${Button} onClick=${() => change({ memories: [...memories, emptyMemory()] })}>Add a memory<//>
        </div>`
      }
    </div>
  <//>`
}

const VARIABLES_MAX = 50

function Variables({ draft, change }) {
  const { variables } = draft
  const missing = missingVariables(draft)
  const add = names => change({ variables: [...variables, ...names.map(name => emptyVariable(name))] })
  return html`<${Card} title="Variables">
    <div class="stack">
      ${variables.length === 0 && html`<p class="quiet">There are none: the memories are the same for every user.</p>`}
      ${variables.map(
        (variable, n) => html`<${VariableRow}
          key=${variable.key}
          number=${n + 1}
          variable=${variable}
          onChange=${changes => change({ variables: replaced(variables, variable.key, changes) })}
          onRemove=${() => change({ variables: variables.filter(({ key }) => key !== variable.key) })}
        />`,
      )}
      ${missing.length > 0 && html`<${Missing} names=${missing} onAdd=${() => add(missing)} />`}
      ${
        variables.length < VARIABLES_MAX &&
        html`<div class="row"><${Button} onClick=${() => add([''])}>Add a variable<//></div>`
      }
    </div>
  <//>`
}

function Missing({ names, onAdd }) {
  return html`<${Notice} kind="warn">
    <p>The memories name what is not among the variables: ${names.join(', ')}.</p>
    <${Button} kind="link" onClick=${onAdd}>${names.length === 1 ? 'Add it' : 'Add them'}<//>
  <//>`
}

function replaced(rows, key, changes) {
  return rows.map(row => (row.key === key ? { ...row, ...changes } : row))
}
