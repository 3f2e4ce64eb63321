import { call } from '../../api.ts'
import { useData } from '../../data.ts'
import { Confirmed, Dialog, Field } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button } from '../../parts.tsx'
import { counted } from './texts.ts'

/**
 * Deletes all memories of one user, for good.
 *
 * @param {{user?: string | undefined, onErased: (message: any) => void, onClose: () => void}} props `user` is likely meant
 */
export function EraseUser({ user = '', onErased, onClose }) {
  const [typed, setTyped] = useState(user)
  const { data: entities, error } = useData('/v1/memories/entities')
  const countOf = id => entities?.find(entity => entity.type === 'user' && entity.id === id)
  // Keyboards of phones add a space; an id that has one is listed, or is the one that was likely meant.
  const chosen = typed === user || countOf(typed) ? typed : typed.trim()
  const known = countOf(chosen)
  const erase = async password => {
    await call('DELETE', '/v1/memories', { query: { user_id: chosen }, password })
    onErased(html`All memories of <b dir="auto">${chosen}</b> were deleted.`)
  }
  return html`<${Dialog} title="Delete a user's memories" onClose=${onClose}>
    <div class="stack">
      <${Field}
        label="User"
        name="erased"
        list="known-users"
        dir="auto"
        value=${typed}
        onInput=${event => setTyped(event.target.value)}
      />
      ${chosen !== '' && entities && html`<p class="quiet" role="status">${told(known)}</p>`}
      <div class="row end">
        <${Button} onClick=${onClose}>Cancel<//>
        ${
          chosen !== '' &&
          (entities || error) &&
          html`<${Confirmed}
            password
            label="Delete all memories"
            question=${asked(chosen, known)}
            act=${erase}
          />`
        }
      </div>
    </div>
  <//>`
}

const memoriesOf = known => counted(known.count, 'memory', 'memories')

const told = known => (known ? `This user has ${memoriesOf(known)}.` : 'No memory of this user is listed.')

const PROCESSED = 'with conversations, documents and imports of this user that are still being processed'

function asked(user, known) {
  const memories = known?.count > 1 ? `All ${memoriesOf(known)}` : 'All memories'
  return html`${memories} of the user <b dir="auto">${user}</b> are deleted for good, ${PROCESSED}.`
}
