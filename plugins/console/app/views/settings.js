import { navigate, useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { useData } from '../data.ts'
import { Dialog, Field, Form } from '../forms.tsx'
import { html, useState } from '../library.js'
import { Button, Head, Loaded, Tabs } from '../parts.tsx'
import { Account } from './settings/account.js'
import { Behaviour } from './settings/behaviour.js'
import { Identity } from './settings/identity.js'
import { Removal } from './settings/removal.js'
import { Retention } from './settings/retention.js'
import { Usage } from './settings/usage.js'

const TABS = [
  { id: 'workspace', title: 'Workspace' },
  { id: 'account', title: 'Account' },
]

/** The chosen workspace and the account that is signed in. */
export function Settings({ session, onChanged, onWorkspace }) {
  const { query, set } = useAddress()
  const [isCreating, setCreating] = useState(false)
  const tab = query.tab === 'account' ? 'account' : 'workspace'
  const close = () => setCreating(false)
  return html`
    <${Head} title="Settings" about=${html`Of the workspace <b dir="auto">${session.workspace.name}</b>, and of your account.`}>
      <${Button} onClick=${() => setCreating(true)}>Create a workspace<//>
    <//>
    ${isCreating && html`<${NewWorkspace} onMade=${onWorkspace} onClose=${close} />`}
    <${Tabs} options=${TABS} chosen=${tab} onChoose=${id => set({ tab: id === 'account' ? id : undefined })} />
    ${
      tab === 'account'
        ? html`<${Account} email=${session.email} />`
        : html`<${Workspace} session=${session} onChanged=${onChanged} onWorkspace=${onWorkspace} />`
    }
  `
}

function NewWorkspace({ onMade, onClose }) {
  const send = async ({ name }) => {
    const { id } = await call('POST', '/v1/workspaces', { body: { name }, everywhere: true })
    onMade(id)
  }
  return html`<${Dialog} title="Create a workspace" onClose=${onClose}>
    <p>It has memories, webhooks and settings of its own, and a test workspace beside it.</p>
    <${Form} send=${send} action="Create the workspace" onCancel=${onClose}>
      <${Field} label="Name" name="name" required dir="auto" placeholder="Support agents" />
    <//>
  <//>`
}

function Workspace({ session, onChanged, onWorkspace }) {
  const path = `/v1/workspaces/${session.workspace.id}`
  const workspace = useData(path, {}, { everywhere: true })
  const [emptied, setEmptied] = useState(0)
  const change = async body => {
    await call('PATCH', path, { body, everywhere: true })
    await workspace.reload()
    await onChanged()
  }
  const leave = place => {
    // A reader who has gone elsewhere stays there, in another workspace.
    if (location.pathname === place) navigate('/')
    onWorkspace(undefined)
  }
  return html`<${Loaded} from=${workspace}>
    ${data => html`
      <div class="columns">
        <${Identity} workspace=${data} change=${change} />
        ${hasFigures(session) && html`<${Usage} key=${`${data.plan} ${emptied}`} />`}
      </div>
      <${Behaviour} settings=${data.settings} change=${change} />
      ${'retention_days' in data.settings && html`<${Retention} days=${data.settings.retention_days} change=${change} />`}
      <${Removal} workspace=${{ ...data, name: session.workspace.name }} onEmptied=${() => setEmptied(emptied + 1)} onRemoved=${leave} />
    `}
  <//>`
}

/** The dashboard tells the usage; a server may have none. */
function hasFigures({ pages }) {
  return pages.some(({ plugin, id }) => plugin === 'console' && id === 'overview')
}
