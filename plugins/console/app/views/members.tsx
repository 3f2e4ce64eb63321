import type { Invitation, Member } from '@mneme/client'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { ShownOnce } from '../copy.tsx'
import { useAction } from '../data.ts'
import { Ask, Field, type Values } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { Badge, type Column, Fault, Head, Time } from '../parts.tsx'
import type { ViewProps } from '../views.ts'

const ROLES = [
  { value: 'viewer', title: 'Viewer: reads everything' },
  { value: 'editor', title: 'Editor: writes data, too' },
  { value: 'admin', title: 'Admin: deletes, keys, webhooks and settings, too' },
  { value: 'owner', title: 'Owner: members and the end of the workspace, too' },
]

/** Shows who may use the workspace, and invites others. */
export function Members({ session }: ViewProps) {
  const members = usePage<List<Member>>('/v1/members')
  const [invited, setInvited] = useState<Invitation>()
  const invite = async ({ role, email }: Values) => {
    setInvited(await call('POST', '/v1/members', { body: { role, ...(email ? { email } : {}) } }))
    await members.reload()
  }
  const change = useAction(async (id: string, role: string) => {
    await call('PATCH', `/v1/members/${id}`, { body: { role } }).finally(members.reload)
  })
  const remove = async (id: string) => {
    await call('DELETE', `/v1/members/${id}`)
    await members.reload()
  }
  const columns: Column<Member>[] = [
    ['Who', ({ email }) => <bdi>{email ?? 'Whoever has the link'}</bdi>],
    ['Role', member => <Role of={member} own={session.email} onChoose={role => void change.run(member.id, role)} />],
    ['Since', member => <Since of={member} />],
    ['', member => <Removal of={member} act={() => remove(member.id)} />],
  ]
  return (
    <>
      <Head
        title="Members"
        about={`Who may use the workspace \u2068${session.workspace.name}\u2069, and its test data.`}
      >
        <Ask label="Invite somebody" action="Make the link" kind="first" act={invite}>
          <Field label="Role" name="role" options={ROLES} value="editor" />
          <Field
            label="E-mail"
            name="email"
            type="email"
            hint="Only this address may accept. Without one it is whoever has the link."
          />
        </Ask>
      </Head>
      <Fault error={change.error} />
      {invited && <Link of={invited} onSeen={() => setInvited(undefined)} />}
      <Listed label="Members" from={members} columns={columns} none="Nobody is here." />
    </>
  )
}

function Link({ of: { link, email, expires_at }, onSeen }: { of: Invitation; onSeen: () => void }) {
  const title = `Copy the link ${email ? `for \u2068${email}\u2069 ` : ''}`.trimEnd()
  return (
    <ShownOnce title={title} text={link} label="Copy the link" seen="I have sent it" onSeen={onSeen}>
      <p>
        It serves once, until <Time at={expires_at} />.
      </p>
    </ShownOnce>
  )
}

function Role({ of, own, onChoose }: { of: Member; own: string; onChoose: (role: string) => void }) {
  const { email, role } = of
  if (role === 'owner' || email === own) return <Badge>{role}</Badge>
  const name = `Role of ${email ?? 'the invitation'}`
  return (
    <select aria-label={name} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {ROLES.map(({ value }) => (
        <option key={value} value={value} selected={value === role}>
          {value}
        </option>
      ))}
    </select>
  )
}

function Since({ of: { status, created_at, expires_at } }: { of: Member }) {
  if (status === 'ACTIVE') return <Time at={created_at} />
  return (
    <>
      <Badge kind="info">invited</Badge> until <Time at={expires_at} />
    </>
  )
}

function Removal({ of: { email, status }, act }: { of: Member; act: () => Promise<void> }) {
  const name = email ?? 'the invitation'
  const label = status === 'ACTIVE' ? 'Remove' : 'Take back'
  const loss = `\u2068${name}\u2069 reaches this workspace no longer. Keys that they made stay.`
  const question = status === 'ACTIVE' ? loss : 'The link serves nobody any more.'
  return <Ask label={label} aria-label={`${label} ${name}`} kind="plain" question={question} act={act} />
}
