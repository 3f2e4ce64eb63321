import { useData } from '../data.ts'
import { html, useState } from '../library.js'
import { Paged, usePage } from '../paged.tsx'
import { Button, Empty, Head } from '../parts.tsx'
import { KeyDialog } from './keys/form.js'
import { KeyTable } from './keys/key-table.js'
import { ShownKey } from './keys/shown-key.js'

/** All API keys of the account, in whichever workspace they work. */
export function Keys({ session }) {
  const keys = usePage('/v1/api-keys', {}, { everywhere: true })
  const permissions = useData('/v1/api-keys/permissions', {}, { everywhere: true })
  const [edited, setEdited] = useState()
  const [shown, setShown] = useState([])
  const hide = id => setShown(before => before.filter(key => key.id !== id))
  const show = key => setShown(before => [...before.filter(({ id }) => id !== key.id), key])
  const close = () => setEdited(undefined)
  const onSaved = async key => {
    close()
    if (key.key) show(key)
    await keys.reload()
  }
  return html`
    <${Head} title="API keys" about="Agents and programs call the API with these. The keys of all your workspaces are listed.">
      <${Button} kind="first" onClick=${() => setEdited({})}>Create a key<//>
    <//>
    ${
      edited &&
      html`<${KeyDialog} given=${edited.key} session=${session} permissions=${permissions} onSaved=${onSaved} onClose=${close} />`
    }
    ${shown.map(key => html`<${ShownKey} key=${key.key} shown=${key} onSeen=${() => hide(key.id)} />`)}
    <${Paged} from=${keys} none=${html`<${None} />`}>
      ${({ data }) => html`<${KeyTable}
        keys=${data}
        workspaces=${session.workspaces}
        permissions=${permissions}
        onEdit=${key => setEdited({ key })}
        onRotated=${show}
        onRevoked=${hide}
        reload=${keys.reload}
      />`}
    <//>
  `
}

function None() {
  return html`<${Empty} title="No API keys">
    An agent needs a key to store and find memories. Create one with the button above.
  <//>`
}
