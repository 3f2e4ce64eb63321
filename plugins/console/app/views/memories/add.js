import { call } from '../../api.ts'
import { Dialog, Field, Form, listOf } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { metadataOf } from './metadata.js'
import { LAYERS, PRIORITIES } from './options.js'

/**
 * Asks for a new memory.
 *
 * @param {{query: Record<string, string>, onAdded: (message: string) => void, onClose: () => void}} props `query`
 * suggests the user
 */
export function Add({ query, onAdded, onClose }) {
  const [layer, setLayer] = useState('RAW')
  const send = async values => {
    await call('POST', '/v1/memories', { body: bodyOf(values) })
    onAdded('The memory was added. Searches find it by its words now, and by its meaning when it is completed.')
  }
  return html`<${Dialog} title="Add a memory" onClose=${onClose}>
    <${Form} send=${send} action="Add the memory" onCancel=${onClose}>
      <${Field} label="Text" name="memory" rows=${5} required dir="auto" />
      <div class="grid">
        <${Field}
          label="User"
          name="user_id"
          list="known-users"
          dir="auto"
          placeholder="default"
          defaultValue=${query.user_id ?? ''}
        />
        <${Field} label="Agent" name="agent_id" list="known-agents" dir="auto" />
        <${Field} label="Session" name="session_id" dir="auto" />
        <${Field} label="Priority" name="priority" options=${PRIORITIES} value="MEDIUM" />
        <${Field}
          label="Stays"
          name="layer"
          options=${LAYERS}
          value=${layer}
          onChange=${event => setLayer(event.target.value)}
        />
        ${
          layer === 'TASK' &&
          html`<${Field}
            label="Expires at"
            name="expires_at"
            type="datetime-local"
            hint="Left empty, the setting of the workspace decides."
          />`
        }
      </div>
      <${Field} label="Categories" name="categories" dir="auto" hint="Put commas between several." />
      <${Field}
        label="Metadata"
        name="metadata"
        rows=${3}
        spellcheck=${false}
        hint=${'A JSON object, as {"source": "chat"}.'}
      />
    <//>
  <//>`
}

const IDENTIFIERS = ['user_id', 'agent_id', 'session_id']

function bodyOf({ memory, priority, layer, categories, metadata, expires_at, ...values }) {
  const named = IDENTIFIERS.map(name => [name, values[name].trim()]).filter(([, value]) => value !== '')
  return {
    memory,
    ...Object.fromEntries(named),
    priority,
    layer,
    categories: listOf(categories),
    metadata: metadataOf(metadata),
    ...(expires_at ? { expires_at: new Date(expires_at).toISOString() } : {}),
  }
}
