import { call } from '../../api.ts'
import { Confirmed } from '../../forms.tsx'
import { html } from '../../library.js'
import { Badge, Button, Table, Time } from '../../parts.tsx'
import { namesOf } from './permissions.js'

const DAY_MS = 86_400_000
const SOON_DAYS = 7

/**
 * The keys with what can be done about each.
 *
 * @param {{keys: any[], workspaces: any[], permissions: any, onEdit: (key: any) => void, onRotated: (key: any) => void,
 * onRevoked: (id: string) => void, reload: () => unknown}} props `onRotated` gets the key with its new secret
 */
export function KeyTable({ keys, workspaces, permissions, ...acts }) {
  const columns = [
    {
      title: 'Name',
      cell: ({ name, prefix }) =>
        html`<span dir="auto">${name}</span><br /><code class="quiet whole">${prefix}…</code>`,
    },
    {
      title: 'Mode',
      cell: ({ mode }) => html`<${Badge} kind=${mode === 'live' ? 'good' : 'info'}>${mode}<//>`,
    },
    { title: 'Workspaces', cell: key => html`<${Workspaces} of=${key} all=${workspaces} />` },
    { title: 'Permissions', cell: key => html`<${Granted} of=${key} all=${permissions} />` },
    { title: 'Last used', cell: ({ last_used_at }) => (last_used_at ? html`<${Time} at=${last_used_at} />` : 'Never') },
    { title: 'Expires', cell: ({ expires_at }) => html`<${Expiry} at=${expires_at} />` },
    {
      title: 'Actions',
      cell: key => html`<${Actions} of=${key} ...${acts} />`,
    },
  ]
  return html`<${Table} label="API keys" columns=${columns} rows=${keys} />`
}

function Workspaces({ of: { workspace_id, workspace_ids }, all }) {
  const nameOf = id => all.find(workspace => workspace.id === id)?.name ?? id
  return html`<span dir="auto">${nameOf(workspace_id)}</span>
    ${
      workspace_ids.length > 0 &&
      html`<details>
        <summary>and ${workspace_ids.length} more</summary>
        <ul class="plain">${workspace_ids.map(id => html`<li key=${id} dir="auto">${nameOf(id)}</li>`)}</ul>
      </details>`
    }`
}

function Granted({ of: { permissions }, all }) {
  const known = namesOf(all)
  const hasAll = known.length > 0 && known.every(name => permissions.includes(name))
  return html`<details>
    <summary>${hasAll ? 'All' : `${permissions.length} of ${known.length || '…'}`}</summary>
    <ul class="plain">${permissions.map(name => html`<li key=${name}><code>${name}</code></li>`)}</ul>
  </details>`
}

function Expiry({ at }) {
  if (!at) return 'Never'
  const left = Date.parse(at) - Date.now()
  return html`<${Time} at=${at} />
    ${left <= 0 && html`<br /><${Badge} kind="bad">Expired<//>`}
    ${left > 0 && left < SOON_DAYS * DAY_MS && html`<br /><${Badge} kind="warn">Soon<//>`}`
}

function Actions({ of: key, onEdit, onRotated, onRevoked, reload }) {
  const name = `\u2068${key.name}\u2069`
  const path = `/v1/api-keys/${key.id}`
  const rotate = async () => {
    onRotated(await call('POST', `${path}/rotate`, { body: {}, everywhere: true }))
    await reload()
  }
  const revoke = async () => {
    await call('DELETE', path, { everywhere: true })
    onRevoked(key.id)
    await reload()
  }
  return html`<div class="row">
    <${Button} aria-label=${`Edit ${key.name}`} onClick=${() => onEdit(key)}>Edit<//>
    <${Confirmed} label="Rotate" aria-label=${`Rotate ${key.name}`} question=${`“${name}” gets a new secret. ${ROTATION}`} act=${rotate} />
    <${Confirmed} label="Revoke" aria-label=${`Revoke ${key.name}`} question=${`“${name}” stops working within 5 seconds, for good.`} act=${revoke} />
  </div>`
}

const ROTATION = `The old one stops working within 5 seconds. To change over without a gap, create a second key instead, and revoke
this one later.`
