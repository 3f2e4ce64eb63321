import './styles/main.css'
import type { GetConnectionRequestResult } from '@mneme/client'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, onSignedOut } from './api.ts'
import { useData } from './data.ts'
import { Boxes, boxOf, Field, Form, tickedIn, type Values } from './forms.tsx'
import { Button, Fault, Loaded, Notice } from './parts.tsx'
import type { Workspace } from './session.ts'
import { SignIn } from './sign-in.tsx'

/** An application sends the browser here with these. */
const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
]

const given = new URLSearchParams(location.search)
const asked = Object.fromEntries(PARAMETERS.flatMap(name => (given.has(name) ? [[name, given.get(name)]] : [])))

type State =
  | { state: 'unknown' }
  | { state: 'signed out' }
  | { state: 'broken'; error: Error }
  | { state: 'signed in'; email: string; workspaces: readonly Workspace[] }

/** Signs in, then asks whether an application may use a workspace. */
function Connect() {
  const [session, setSession] = useState<State>({ state: 'unknown' })
  const open = async () =>
    setSession(await openSession().catch((error: Error) => ({ state: 'broken', error }) as const))
  useEffect(() => {
    onSignedOut(() => setSession({ state: 'signed out' }))
    void open()
  }, [])
  if (session.state === 'unknown') return null
  if (session.state === 'signed out') return <SignIn onSignedIn={open} />
  if (session.state === 'signed in') return <Question {...session} />
  return (
    <main class="sign-in">
      <h1>Connect an application</h1>
      <Fault error={session.error} />
      <Button label="Try again" onClick={open} />
    </main>
  )
}

async function openSession(): Promise<State> {
  const account = await call<{ user: { email: string } } | null>('GET', '/v1/auth/get-session', { everywhere: true })
  if (!account) return { state: 'signed out' }
  const query = { page_size: 100 }
  const { data } = await call<{ data: Workspace[] }>('GET', '/v1/workspaces', { query, everywhere: true })
  const workspaces = data.filter(({ mode }) => mode === 'live')
  if (workspaces.length === 0) throw new Error('This account has no workspace.')
  return { state: 'signed in', email: account.user.email, workspaces }
}

function Question({ email, workspaces }: { email: string; workspaces: readonly Workspace[] }) {
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? '')
  const [answer, setAnswer] = useState<string>()
  const query = { ...asked, workspace_id: workspaceId }
  const request = useData<GetConnectionRequestResult>('/v1/connections/request', query, { everywhere: true })
  const allow = async ({ user_id = '' }: Values, form: HTMLFormElement) => {
    const permissions = tickedIn(form, 'permissions')
    const body = { request: asked, permissions, ...(user_id.trim() ? { user_id: user_id.trim() } : {}) }
    const options = { query: { workspace_id: workspaceId }, body, everywhere: true }
    setAnswer((await call<{ redirect_url: string }>('POST', '/v1/connections', options)).redirect_url)
  }
  if (answer) return <Leaving to={answer} host={request.data?.redirect_host} />
  const options = workspaces.map(({ id, name }) => [id, name] as const)
  const only = 'The id of one user, whose memories alone it reads and writes. Empty: all of the workspace.'
  return (
    <main class="sign-in">
      <Loaded from={request}>
        {({ client_name: name, redirect_host: host, permissions, refusal, deny_url }) => (
          <>
            <h1>
              Connect <bdi>{name}</bdi>
            </h1>
            <p>
              An application that calls itself{' '}
              <b>
                <bdi>{name}</bdi>
              </b>{' '}
              wants to use your memory. The answer goes to <b dir="ltr">{host}</b>. Allow it only if you have just begun
              this there.
            </p>
            {refusal ? (
              <>
                <Notice kind="bad" text={<span role="alert">This cannot be allowed: {refusal}</span>} />
                <Button label={`Back to ${host}`} onClick={() => setAnswer(deny_url)} />
              </>
            ) : (
              <Form send={allow} action="Allow" onCancel={() => setAnswer(deny_url)}>
                <Field
                  label="Workspace"
                  name="workspace"
                  options={options}
                  value={workspaceId}
                  onValue={setWorkspaceId}
                />
                <Boxes
                  key={workspaceId}
                  legend="It may"
                  name="permissions"
                  options={permissions.map(({ permission, allows }) =>
                    boxOf({ name: permission, description: allows }),
                  )}
                  chosen={permissions.map(({ permission }) => permission)}
                />
                <Field label="Only for the user" name="user_id" hint={only} autocomplete="off" />
              </Form>
            )}
          </>
        )}
      </Loaded>
      <p class="quiet">
        Signed in as <bdi>{email}</bdi>. Whatever you allow ends in the console under “Connected apps”.
      </p>
    </main>
  )
}

/** The window goes back to the application, which may be a program of its own and leaves the page as it is. */
function Leaving({ to, host }: { to: string; host: string | undefined }) {
  useEffect(() => location.assign(to), [])
  return (
    <main class="sign-in">
      <h1>Done</h1>
      <p>
        Going on at <a href={to}>{host}</a>. This page can be closed.
      </p>
    </main>
  )
}

render(<Connect />, document.getElementById('connect') as HTMLElement)
