import { navigate, useAddress } from '../address.tsx'
import { html, useEffect, useState } from '../library.js'
import { Button, Head, Notice } from '../parts.tsx'
import { Add } from './memories/add.js'
import { Detail } from './memories/detail.js'
import { EraseUser } from './memories/erase-user.js'
import { Filters } from './memories/filters.js'
import { Known } from './memories/known.js'
import { rememberList } from './memories/last-list.js'
import { List } from './memories/list.js'

/** All memories of the workspace, or the one that the address names. */
export function Memories() {
  const { parts } = useAddress()
  return parts[1] === undefined ? html`<${AllMemories} />` : html`<${Detail} key=${parts[1]} id=${parts[1]} />`
}

function AllMemories() {
  const { query, set } = useAddress()
  const [version, setVersion] = useState(0)
  const [open, setOpen] = useState()
  const [done, setDone] = useState()
  useEffect(rememberList)
  const close = () => setOpen(undefined)
  const finish = message => {
    close()
    setDone(message)
    setVersion(version + 1)
  }
  return html`
    <${Head} title="Memories" about="Texts that agents stored, found again by their words and by their meaning.">
      <${Button} onClick=${() => setOpen('erase')}>Delete a user's memories<//>
      <${Button} kind="first" onClick=${() => setOpen('add')}>Add a memory<//>
    <//>
    ${done && html`<${Notice} kind="good"><p>${done}</p><//>`}
    <${Known} key=${`known-${version}`} />
    <${Filters} query=${query} set=${set} onClear=${() => navigate('/memories')} />
    <${List} key=${`list-${version}`} query=${query} />
    ${open === 'add' && html`<${Add} query=${query} onAdded=${finish} onClose=${close} />`}
    ${open === 'erase' && html`<${EraseUser} user=${query.user_id} onErased=${finish} onClose=${close} />`}
  `
}
