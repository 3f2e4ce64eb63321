import { Check, Field } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button } from '../../parts.tsx'

const PRIORITIES = [
  { value: 'LOW', title: 'Low' },
  { value: 'MEDIUM', title: 'Medium' },
  { value: 'HIGH', title: 'High' },
]

const LAYERS = [
  { value: 'RAW', title: 'Always' },
  { value: 'TASK', title: 'Until it expires, as a task does' },
]

/** The fields of one memory. @param {{onRemove?: () => void}} props without `onRemove` it cannot be removed */
export function MemoryRow({ number, memory, onChange, onRemove }) {
  const to = name => event => onChange({ [name]: event.target.value })
  // It stays open while what is in it is deleted and written anew.
  const [hasMetadata] = useState(memory.metadata !== '')
  return html`<fieldset class="stack" name=${`memories.${number - 1}`}>
    <legend>Memory ${number}</legend>
    <${Field}
      label="Text"
      name="memory"
      rows=${2}
      required
      dir="auto"
      value=${memory.memory}
      onInput=${to('memory')}
    />
    <div class="grid">
      <${Field}
        label="Categories"
        name="categories"
        dir="auto"
        hint="Put commas between several."
        value=${memory.categories}
        onInput=${to('categories')}
      />
      <${Field}
        label="Priority"
        name="priority"
        options=${PRIORITIES}
        value=${memory.priority}
        onChange=${to('priority')}
      />
      <${Field} label="Stays" name="layer" options=${LAYERS} value=${memory.layer} onChange=${to('layer')} />
    </div>
    <details open=${hasMetadata}>
      <summary>Metadata</summary>
      <${Field}
        label="JSON object"
        name="metadata"
        rows=${3}
        spellcheck=${false}
        value=${memory.metadata}
        onInput=${to('metadata')}
      />
    </details>
    ${
      onRemove &&
      html`<div class="row end">
        <${Button} kind="link" onClick=${onRemove} aria-label=${`Remove memory ${number}`}>Remove<//>
      </div>`
    }
  </fieldset>`
}

/** The fields of one variable. */
export function VariableRow({ number, variable, onChange, onRemove }) {
  return html`<fieldset class="row" name=${`variables.${number - 1}`}>
    <legend>Variable ${number}</legend>
    <${Field}
      label="Name"
      name="variable"
      required
      pattern="[A-Za-z_][A-Za-z0-9_]{0,63}"
      title="A name begins with a letter or _ and holds letters, digits and _."
      value=${variable.name}
      onInput=${event => onChange({ name: event.target.value })}
    />
    <${Field}
      label="Default"
      name="default"
      dir="auto"
      placeholder="None"
      value=${variable.fallback}
      onInput=${event => onChange({ fallback: event.target.value })}
    />
    <${Check}
      label="Required"
      name="required"
      checked=${variable.required}
      onChange=${event => onChange({ required: event.target.checked })}
    />
    <${Button} kind="link" onClick=${onRemove} aria-label=${`Remove variable ${number}`}>Remove<//>
  </fieldset>`
}
