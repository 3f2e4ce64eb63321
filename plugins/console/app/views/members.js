import { call } from '../api.ts'
import { Confirmed, Dialog, Field, Form } from '../forms.tsx'
import { html, useState } from '../library.js'
import { Paged, usePage } from '../paged.tsx'
import { Badge, Button, Copyable, Fault, Head, Notice, Table, Time } from '../parts.tsx'

const ROLES = [
  { value: 'viewer', title: 'Viewer: reads everything' },
  { value: 'editor', title: 'Editor: writes data, too' },
  { value: 'admin', title: 'Admin: deletes, keys, webhooks and settings, too' },
  { value: 'owner', title: 'Owner: members and the end of the workspace, too' },
]

/** Shows who may use the workspace, and invites others. */
export function Members({ session }) {
  const members = usePage('/v1/members')
  const [isInviting, setInviting] = useState(false)
  const [invited, setInvited] = useState()
  const [error, setError] = useState()
  const invite = async ({ role, email }) => {
    setInvited(await call('POST', '/v1/members', { body: { role, ...(email ? { email } : {}) } }))
    setInviting(false)
    await members.reload()
  }
  const change = async (id, role) => {
    setError(
      await call('PATCH', `/v1/members/${id}`, { body: { role } }).then(
        () => undefined,
        fault => fault,
      ),
    )
    await members.reload()
  }
  const columns = [
    { title: 'Who', cell: ({ email }) => html`<span dir="auto">${email ?? 'Whoever has the link'}</span>` },
    { title: 'Role', cell: member => html`<${Role} of=${member} email=${session.email} change=${change} />` },
    { title: 'Since', cell: member => html`<${Since} of=${member} />` },
    { title: 'Actions', cell: member => html`<${Removal} of=${member} reload=${members.reload} />` },
  ]
  return html`
    <${Head} title="Members" about=${html`Who may use the workspace <b dir="auto">${session.workspace.name}</b>, and its test data.`}>
      <${Button} kind="first" onClick=${() => setInviting(true)}>Invite somebody<//>
    <//>
    <${Fault} error=${error} />
    ${invited && html`<${Link} of=${invited} onSeen=${() => setInvited(undefined)} />`}
    ${isInviting && html`<${Invitation} send=${invite} onClose=${() => setInviting(false)} />`}
    <${Paged} from=${members}>
      ${({ data }) => html`<${Table} label="Members" columns=${columns} rows=${data} />`}
    <//>
  `
}

function Invitation({ send, onClose }) {
  return html`<${Dialog} title="Invite somebody" onClose=${onClose}>
    <${Form} send=${send} action="Make the link" onCancel=${onClose}>
      <${Field} label="Role" name="role" options=${ROLES} value="editor" />
      <${Field} label="E-mail" name="email" type="email" hint="Only this address may accept. Without one it is whoever has the link." />
    <//>
  <//>`
}

function Link({ of: { link, email, expires_at }, onSeen }) {
  return html`<${Notice} kind="warn">
    <div class="stack">
      <p>
        <strong>Copy the link ${email ? html`for <span dir="auto">${email}</span> ` : ''}now. It is not shown again.</strong>
        ${' '}It serves once, until <${Time} at=${expires_at} />.
      </p>
      <${Copyable} text=${link} label="Copy the link" />
      <div class="row"><${Button} onClick=${onSeen}>I have sent it<//></div>
    </div>
  <//>`
}

function Role({ of: { id, email, role, status }, email: own, change }) {
  if (role === 'owner' || email === own) return html`<${Badge}>${role}<//>`
  const choose = event => void change(id, event.target.value)
  return html`<select aria-label=${`Role of ${email ?? 'the invitation'}`} data-status=${status} onChange=${choose}>
    ${ROLES.map(({ value }) => html`<option value=${value} selected=${value === role}>${value}</option>`)}
  </select>`
}

function Since({ of: { status, created_at, expires_at } }) {
  if (status === 'ACTIVE') return html`<${Time} at=${created_at} />`
  return html`<${Badge} kind="info">invited<//> until <${Time} at=${expires_at} />`
}

function Removal({ of: { id, email, status }, reload }) {
  const name = email ?? 'the invitation'
  const label = status === 'ACTIVE' ? 'Remove' : 'Take back'
  const question =
    status === 'ACTIVE'
      ? `\u2068${name}\u2069 reaches this workspace no longer. Keys that they made stay.`
      : 'The link serves nobody any more.'
  const remove = async () => {
    await call('DELETE', `/v1/members/${id}`)
    await reload()
  }
  return html`<${Confirmed} label=${label} aria-label=${`${label} ${name}`} question=${question} act=${remove} />`
}
