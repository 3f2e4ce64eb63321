import type { Invitation, Member } from '@mneme/client'
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { ShownOnce } from '../copy.tsx'
import { change, reloadShown, useAction } from '../data.ts'
import { Ask, Field, Select, type Values } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { Badge, type Column, Fault, Head, Time } from '../parts.tsx'
import type { ViewProps } from '../views.ts'

const ROLES = {
  viewer: 'Viewer: reads everything',
  editor: 'Editor: writes data, too',
  admin: 'Admin: deletes, keys, webhooks and settings, too',
  owner: 'Owner: members and the end of the workspace, too',
}

/** Shows who may use the workspace, and invites others. */
export function Members({ session }: ViewProps) {
  const members = usePage<List<Member>>('/v1/members')
  const [invited, setInvited] = useState<Invitation>()
  const invite = async ({ role, email }: Values) => {
    setInvited(await change('POST', '/v1/members', { body: { role, ...(email ? { email } : {}) } }))
  }
  const choosing = useAction((id: string, role: string) =>
    call('PATCH', `/v1/members/${id}`, { body: { role } }).finally(reloadShown),
  )
  const columns: Column<Member>[] = [
    ['Who', ({ email }) => <bdi>{email ?? 'Whoever has the link'}</bdi>],
    ['Role', member => <Role of={member} own={session.email} onChoose={role => void choosing.run(member.id, role)} />],
    ['Since', member => <Since of={member} />],
    ['', member => <Removal of={member} />],
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
      <Fault error={choosing.error} />
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
    <Select
      aria-label={name}
      options={Object.keys(ROLES).map(each => [each, each] as const)}
      value={role}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    />
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

function Removal({ of: { id, email, status } }: { of: Member }) {
  const act = () => change('DELETE', `/v1/members/${id}`)
  const name = email ?? 'the invitation'
  const label = status === 'ACTIVE' ? 'Remove' : 'Take back'
  const loss = `\u2068${name}\u2069 reaches this workspace no longer. Keys that they made stay.`
  const question = status === 'ACTIVE' ? loss : 'The link serves nobody any more.'
  return <Ask label={label} aria-label={`${label} ${name}`} kind="plain" question={question} act={act} />
}
