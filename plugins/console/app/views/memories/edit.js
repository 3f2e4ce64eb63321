import { call } from '../../api.ts'
import { Dialog, Field, Form, listOf } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { metadataOf, metadataText } from './metadata.js'
import { PRIORITIES } from './options.js'

/** @param {{memory: any, onSaved: () => Promise<void>, onClose: () => void}} props */
export function Edit({ memory, onSaved, onClose }) {
  // The memory may be loaded anew meanwhile, which is no change by the person at this form.
  const [before] = useState(memory)
  const [shown] = useState(() => typedOf(before))
  const send = async values => {
    const now = await call('GET', `/v1/memories/${before.id}`)
    if (now.memory !== before.memory) throw new Error(CHANGED)
    await call('PUT', `/v1/memories/${before.id}`, { body: changesOf(values, before, shown) })
    await onSaved()
  }
  return html`<${Dialog} title="Edit the memory" onClose=${onClose}>
    <${Form} send=${send} action="Save" onCancel=${onClose}>
      <${Field}
        label="Text"
        name="memory"
        rows=${8}
        required
        dir="auto"
        defaultValue=${shown.memory}
      />
      <${Field} label="Priority" name="priority" options=${PRIORITIES} value=${before.priority} />
      <${Field}
        label="Categories"
        name="categories"
        dir="auto"
        hint="Put commas between several."
        defaultValue=${shown.categories}
      />
      <${Field}
        label="Metadata"
        name="metadata"
        rows=${5}
        spellcheck=${false}
        hint="A JSON object. Leave it empty to remove the metadata."
        defaultValue=${shown.metadata}
      />
    <//>
  <//>`
}

const CHANGED = 'The text was changed meanwhile. Copy what you wrote, close this form, and edit the newer text.'

/** A memory as the form shows it, where lines end as browsers have them. */
const typedOf = ({ memory, categories, metadata }) => ({
  memory: memory.replaceAll(/\r\n?/g, '\n'),
  categories: categories.join(', '),
  metadata: metadataText(metadata),
})

/** Sends only what was changed: a category may contain a comma, and metadata numbers that no browser holds. */
function changesOf({ memory, priority, categories, metadata }, before, shown) {
  return {
    memory: memory === shown.memory ? before.memory : memory,
    ...(priority === before.priority ? {} : { priority }),
    ...(categories === shown.categories ? {} : { categories: listOf(categories) }),
    ...(metadata === shown.metadata ? {} : { metadata: metadataOf(metadata) }),
  }
}
