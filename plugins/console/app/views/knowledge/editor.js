import { call } from '../../api.ts'
import { useAction } from '../../data.ts'
import { Field, Form } from '../../forms.tsx'
import { html, useEffect, useRef, useState } from '../../library.js'
import { Button, Fault, Notice } from '../../parts.tsx'
import { useUnsaved } from '../../unsaved.ts'

const CONFLICTS = [409, 412]
const ROWS = 20

const HINT =
  'Each statement stands on a line of its own. The comment behind it names its memories; a line that keeps the ' +
  'comment goes with them. A compiled line that you take away stays away while its memories say the same.'

/**
 * Edits the text of an entry in the version that was read. When the entry has another by now, the newest can be loaded;
 * what was written until then stays below it.
 */
export function Editor({ entry, onClose }) {
  const path = `/v1/knowledge/${entry.id}`
  const [base, setBase] = useState(entry)
  const [text, setText] = useState(entry.content)
  const [before, setBefore] = useState(undefined)
  const [isOutdated, setOutdated] = useState(false)
  const send = async () => {
    try {
      await call('PUT', path, { body: { content: text, version: base.version } })
    } catch (error) {
      setOutdated(CONFLICTS.includes(error.status))
      throw error
    }
    await onClose()
  }
  const newest = useAction(async () => {
    const loaded = await call('GET', path)
    setBefore(text)
    setBase(loaded)
    setText(loaded.content)
    setOutdated(false)
  })
  return html`
    <${Form} key=${base.version} send=${send} action="Save" onCancel=${onClose}>
      <${Field}
        label=${`Text, from version ${base.version}`}
        name="content"
        class="document"
        rows=${ROWS}
        dir="auto"
        required
        hint=${HINT}
        value=${text}
        onInput=${event => setText(event.target.value)}
      />
    <//>
    ${
      isOutdated &&
      html`<p>
        Your text is not saved. Load the newest version and make the change there; your text stays below it.${' '}
        <${Button} isBusy=${newest.isBusy} onClick=${newest.run}>Load the newest<//>
      </p>`
    }
    <${Fault} error=${newest.error} />
    ${before !== undefined && html`<${Before} text=${before} />`}
  `
}

function Before({ text }) {
  const place = useRef(null)
  const unsaved = useUnsaved()
  useEffect(() => unsaved.note(place.current), [])
  return html`<${Notice} kind="warn">
    <p>This is the text that you had written. Take over what you need; nothing of it is saved.</p>
    <pre class="document" dir="auto" tabindex="0" ref=${place}>${text}</pre>
  <//>`
}
