import { call } from '../../api.ts'
import { FilePicker } from '../../file-picker.js'
import { Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Card, Notice } from '../../parts.tsx'
import { sizeOf } from '../../progress.js'

/** @param {{onSent: () => Promise<void>}} props `onSent` is called when the service has the file */
export function ImportForm({ onSent }) {
  const [files, setFiles] = useState([])
  const [told, setTold] = useState()
  const send = async ({ user_id }) => {
    const [file] = files
    if (file === undefined) throw new Error('Choose a file.')
    const name = `\u2068${file.name}\u2069`
    setTold({ text: `${name} is being sent (${sizeOf(file.size)}). Keep this page open until it is there.` })
    try {
      await call('POST', '/v1/imports', { form: formOf(user_id.trim(), file) })
    } catch (error) {
      setTold(undefined)
      throw error
    }
    setTold({ kind: 'good', text: `The service has ${name} and imports it now.` })
    setFiles([])
    await onSent()
  }
  return html`<${Card} title="Import a file">
    <${Form} send=${send} action="Import the file">
      <p class="quiet">
        A JSONL or JSON export of Mneme keeps ids, times and history. Exports of mem0, Zep, Hindsight, Supermemory and Letta in JSON are read too, and
        lines of JSON with a <code>text</code>. Memories that the workspace already has are skipped.
      </p>
      <${FilePicker}
        label="Drop a file here, or choose one"
        hint="It has at most 2 GB."
        files=${files}
        onFiles=${setFiles}
      />
      <${Field}
        label="User"
        name="user_id"
        dir="auto"
        placeholder="default"
        hint="Memories that name no user belong to this one."
      />
      ${told && html`<${Notice} kind=${told.kind}><p>${told.text}</p><//>`}
    <//>
  <//>`
}

/** The fields stand before the file, as the service reads them in this order. */
function formOf(userId, file) {
  const form = new FormData()
  if (userId !== '') form.append('user_id', userId)
  form.append('file', file, file.name)
  return form
}
