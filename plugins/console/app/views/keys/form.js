import { call } from '../../api.ts'
import { Check, Dialog, Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { dayOf, endOf } from './expiry.js'
import { namesOf, PermissionChoice } from './permissions.js'

/**
 * Asks for a new key, or for changes of the one that is given.
 *
 * @param {{given?: any, session: any, permissions: any, onSaved: (key: any) => unknown, onClose: () => void}} props `onSaved` gets the secret
 * of a new key too
 */
export function KeyDialog({ given, session, permissions, onSaved, onClose }) {
  const live = session.workspaces.filter(({ mode }) => mode === 'live')
  const [workspaceId, setWorkspaceId] = useState(given?.workspace_id ?? liveOf(session))
  const further = live.filter(({ id }) => id !== workspaceId)
  const send = async (values, form) => {
    const chosen = new FormData(form)
    const names = chosen.getAll('permissions')
    if (names.length === 0) throw new Error('Choose at least one permission.')
    const fields = { ...values, permissions: names, workspace_ids: chosen.getAll('workspace_ids') }
    const boxes = { workspaces: further.map(({ id }) => id), permissions: namesOf(permissions) }
    await onSaved(given ? await change(given, fields, boxes) : await create(workspaceId, fields))
  }
  return html`<${Dialog} title=${given ? 'Edit the key' : 'Create a key'} onClose=${onClose}>
    <${Form} send=${send} action=${given ? 'Save the key' : 'Create the key'} onCancel=${onClose}>
      <${Field}
        label="Name"
        name="name"
        required
        dir="auto"
        placeholder="Production agent"
        defaultValue=${given?.name ?? ''}
      />
      ${!given && html`<${Place} live=${live} workspaceId=${workspaceId} onWorkspace=${setWorkspaceId} mode=${session.workspace.mode} />`}
      <${Field}
        label="Last day on which it works"
        name="last_day"
        type="date"
        min=${given ? undefined : dayOf(new Date())}
        defaultValue=${dayOf(given?.expires_at)}
        hint="Without a day it works until it is revoked."
      />
      <${Further} workspaces=${further} chosen=${given?.workspace_ids} />
      <${PermissionChoice} permissions=${permissions} chosen=${given?.permissions} />
    <//>
  <//>`
}

/** The workspace that new keys are for: the one that is looked at, or the one that it is the test twin of. */
function liveOf({ workspace, workspaces }) {
  return workspaces.find(({ test_workspace_id }) => test_workspace_id === workspace.id)?.id ?? workspace.id
}

function create(workspaceId, { name, mode, permissions, workspace_ids, last_day }) {
  const body = { name, mode, permissions, workspace_id: workspaceId, workspace_ids, expires_at: endOf(last_day) }
  return call('POST', '/v1/api-keys', { body, everywhere: true })
}

/**
 * Leaves out what is the same: a key with all permissions stays one with all that there ever are. Workspaces and permissions of the key for
 * which there is no box stay too, as those of a plugin that is switched off.
 */
function change(given, { name, permissions, workspace_ids, last_day }, boxes) {
  const ids = [...workspace_ids, ...given.workspace_ids.filter(id => !boxes.workspaces.includes(id))]
  const names = [...permissions, ...given.permissions.filter(name => !boxes.permissions.includes(name))]
  const body = {
    name,
    workspace_ids: hasSame(ids, given.workspace_ids) ? undefined : ids,
    permissions: hasSame(names, given.permissions) ? undefined : names,
    expires_at: last_day === dayOf(given.expires_at) ? undefined : endOf(last_day),
  }
  return call('PATCH', `/v1/api-keys/${given.id}`, { body, everywhere: true })
}

function hasSame(some, others) {
  return some.length === others.length && some.every(name => others.includes(name))
}

const MODES = [
  { value: 'live', title: 'Live' },
  { value: 'test', title: 'Test' },
]

function Place({ live, workspaceId, onWorkspace, mode }) {
  const options = live.map(({ id, name }) => ({ value: id, title: name }))
  return html`
    <${Field}
      label="Workspace"
      name="workspace_id"
      options=${options}
      value=${workspaceId}
      onChange=${({ target }) => onWorkspace(target.value)}
    />
    <${Field}
      label="Mode"
      name="mode"
      options=${MODES}
      value=${mode}
      hint="A test key works on the test workspace beside the live one, with memories of its own."
    />
  `
}

function Further({ workspaces, chosen = [] }) {
  if (workspaces.length === 0) return null
  return html`<fieldset class="choice">
    <legend>Further workspaces it may use</legend>
    ${workspaces.map(
      ({ id, name }) => html`<${Check}
        key=${id}
        name="workspace_ids"
        value=${id}
        label=${html`<span dir="auto">${name}</span>`}
        defaultChecked=${chosen.includes(id)}
      />`,
    )}
  </fieldset>`
}
