import type { Session } from '@mneme/client'
import { change } from '../../data.ts'
import { Act, Ask, Check, Field, Form, type Values } from '../../forms.tsx'
import { Badge, Card, type Column, Load, Table, Time } from '../../parts.tsx'

const PASSWORD_MIN = 8

/** A session as its account sees it; the one that asks is without a token. */
type Listed = Pick<Session, 'userAgent' | 'ipAddress' | 'createdAt' | 'expiresAt'> & { token?: string }

/** The password and the sessions of the account. */
export function Account({ email }: { readonly email: string }) {
  const setPassword = async ({ repeated, others, ...body }: Values, form: HTMLFormElement) => {
    if (body.newPassword !== repeated) throw new Error('The two new passwords are not the same.')
    const passwords = { ...body, revokeOtherSessions: others !== undefined }
    await change('POST', '/v1/auth/change-password', { body: passwords, everywhere: true })
    form.reset()
  }
  const given = { type: 'password', required: true }
  const fresh = { ...given, minlength: PASSWORD_MIN, autocomplete: 'new-password' } as const
  return (
    <>
      <Card title="Password">
        <p class="quiet">{`You are signed in as ${email}.`}</p>
        <Form send={setPassword} action="Change the password" saved="The password is changed.">
          <Field label="Present password" name="currentPassword" autocomplete="current-password" {...given} />
          <Field label="New password" name="newPassword" hint={`At least ${PASSWORD_MIN} characters.`} {...fresh} />
          <Field label="New password once more" name="repeated" {...fresh} />
          <Check label="Sign out everywhere else" name="others" defaultChecked />
        </Form>
      </Card>
      <Card title="Sessions">
        <p class="quiet">Browsers in which this account is signed in.</p>
        <Load<readonly Listed[]> path="/v1/auth/list-sessions" everywhere>
          {data => <Sessions sessions={data} />}
        </Load>
      </Card>
    </>
  )
}

function Sessions({ sessions }: { sessions: readonly Listed[] }) {
  const end = (path: string, body: object) => change('POST', `/v1/auth/${path}`, { body, everywhere: true })
  const columns: Column<Listed>[] = [
    ['Browser', ({ userAgent }) => userAgent || 'Unknown'],
    ['Address', ({ ipAddress }) => ipAddress || 'Unknown'],
    ['Signed in', ({ createdAt }) => <Time at={createdAt} />],
    ['Ends', ({ expiresAt }) => <Time at={expiresAt} />],
    ['', session => <SignOut of={session} end={token => end('revoke-session', { token })} />],
  ]
  return (
    <>
      <Table label="Sessions" columns={columns} rows={sessions} keyOf={({ createdAt }) => createdAt} />
      {sessions.length > 1 && (
        <div class="row end">
          <Ask label="Sign out everywhere else" question={QUESTION} act={() => end('revoke-other-sessions', {})} />
        </div>
      )}
    </>
  )
}

const QUESTION = 'All other browsers in which this account is signed in are signed out. This one stays signed in.'

function SignOut({
  of: { token, userAgent, createdAt },
  end,
}: {
  of: Listed
  end: (token: string) => Promise<unknown>
}) {
  if (token === undefined) return <Badge kind="good">This one</Badge>
  const named = `${userAgent || 'an unknown browser'}, signed in ${new Date(createdAt).toLocaleString('en-GB')}`
  return <Act label="Sign out" work={() => end(token)} aria-label={`Sign out ${named}`} />
}
