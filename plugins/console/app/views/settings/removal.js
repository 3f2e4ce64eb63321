import { call } from '../../api.ts'
import { Confirmed } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Card, Notice } from '../../parts.tsx'

/**
 * Deletes the memories of a workspace, or all of it. A test twin is deleted with its workspace alone.
 *
 * @param {{workspace: any, onEmptied: () => void, onRemoved: (place: string) => void}} props `onRemoved` gets the path on which it was asked for
 */
export function Removal({ workspace: { id, name, mode }, onEmptied, onRemoved }) {
  const [isEmptied, setEmptied] = useState(false)
  const title = `\u2068${name}\u2069${mode === 'test' ? ' (test)' : ''}`
  const empty = async password => {
    await call('DELETE', '/v1/memories', { password })
    setEmptied(true)
    onEmptied()
  }
  const remove = async password => {
    const place = location.pathname
    await call('DELETE', `/v1/workspaces/${id}`, { password, everywhere: true })
    onRemoved(place)
  }
  return html`<${Card} title="Delete">
    <div class="stack">
      <p>
        All memories of this workspace can be deleted, with documents and conversations that are still being read. Its webhooks,
        templates, keys and settings stay.
      </p>
      <div class="row">
        <${Confirmed}
          label="Delete all memories"
          question=${`All memories of “${title}”, of all its users and agents, are deleted for good.`}
          password
          act=${empty}
        />
      </div>
      ${isEmptied && html`<${Notice} kind="good"><p>All memories of this workspace are deleted.</p><//>`}
      ${mode === 'test' ? html`<p class="quiet">This test workspace is deleted with the live one beside it.</p>` : whole(title, remove)}
    </div>
  <//>`
}

const LOSS = `with its test workspace, all memories, webhooks and API keys. Agents with these keys stop working at once.`

function whole(title, remove) {
  return html`
    <p>The workspace can be deleted with all that is in it. An account keeps its last workspace.</p>
    <div class="row">
      <${Confirmed}
        label="Delete the workspace"
        question=${`“${title}” is deleted for good, ${LOSS}`}
        password
        act=${remove}
      />
    </div>
  `
}
