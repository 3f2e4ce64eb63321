import './styles/main.css'
import { call, onSignedOut } from './api.ts'
import { useData } from './data.ts'
import { Check, Field, Form } from './forms.tsx'
import { html, render, useEffect, useState } from './library.js'
import { Button, Fault, Loaded, Notice } from './parts.tsx'
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

/** Signs in, then asks whether an application may use a workspace. */
function Connect() {
  const [session, setSession] = useState({ state: 'unknown' })
  const open = async () => setSession(await openSession().catch(error => ({ state: 'broken', error })))
  useEffect(() => {
    onSignedOut(() => setSession({ state: 'signed out' }))
    void open()
  }, [])
  if (session.state === 'unknown') return null
  if (session.state === 'signed out') return html`<${SignIn} onSignedIn=${open} />`
  if (session.state === 'signed in') return html`<${Question} session=${session} />`
  return html`<main class="sign-in">
    <h1>Connect an application</h1>
    <${Fault} error=${session.error} />
    <${Button} onClick=${open}>Try again<//>
  </main>`
}

async function openSession() {
  const account = await call('GET', '/v1/auth/get-session', { everywhere: true })
  if (!account) return { state: 'signed out' }
  const { data } = await call('GET', '/v1/workspaces', { query: { page_size: 100 }, everywhere: true })
  const workspaces = data.filter(({ mode }) => mode === 'live')
  if (workspaces.length === 0) throw new Error('This account has no workspace.')
  return { state: 'signed in', email: account.user.email, workspaces }
}

function Question({ session: { email, workspaces } }) {
  const [workspaceId, setWorkspaceId] = useState(workspaces[0].id)
  const [answer, setAnswer] = useState()
  const query = { ...asked, workspace_id: workspaceId }
  const request = useData('/v1/connections/request', query, { everywhere: true })
  const allow = async ({ user_id }, form) => {
    const permissions = new FormData(form).getAll('permissions')
    const body = { request: asked, permissions, ...(user_id.trim() ? { user_id: user_id.trim() } : {}) }
    const made = await call('POST', '/v1/connections', { query: { workspace_id: workspaceId }, body, everywhere: true })
    setAnswer(made.redirect_url)
  }
  if (answer) return html`<${Leaving} to=${answer} host=${request.data.redirect_host} />`
  const options = workspaces.map(({ id, name }) => ({ value: id, title: name }))
  return html`<main class="sign-in">
    <${Loaded} from=${request}>
      ${({ client_name: name, redirect_host: host, permissions, refusal, deny_url: denial }) => html`
        <h1>Connect <bdi>${name}</bdi></h1>
        <p>
          An application that calls itself <b><bdi>${name}</bdi></b> wants to use your memory. The answer goes to <b dir="ltr">${host}</b>.
          Allow it only if you have just begun this there.
        </p>
        ${
          refusal
            ? html`<${Notice} kind="bad"><p role="alert">This cannot be allowed: ${refusal}</p><//>
                <${Button} onClick=${() => setAnswer(denial)}>Back to <span dir="ltr">${host}</span><//>`
            : html`<${Form} send=${allow} action="Allow" onCancel=${() => setAnswer(denial)}>
                <${Field}
                  label="Workspace"
                  name="workspace"
                  options=${options}
                  value=${workspaceId}
                  onChange=${({ target }) => setWorkspaceId(target.value)}
                />
                <fieldset class="choice" key=${workspaceId}>
                  <legend>It may</legend>
                  ${permissions.map(
                    ({ permission, allows }) => html`<${Check}
                      key=${permission}
                      name="permissions"
                      value=${permission}
                      label=${html`${allows} <code class="quiet">${permission}</code>`}
                      defaultChecked
                    />`,
                  )}
                </fieldset>
                <${Field}
                  label="Only for the user"
                  name="user_id"
                  hint="The id of one user, whose memories alone it reads and writes. Empty: all of the workspace."
                  autocomplete="off"
                />
              <//>`
        }
      `}
    <//>
    <p class="quiet">Signed in as <span dir="auto">${email}</span>. Whatever you allow ends in the console under “Connected apps”.</p>
  </main>`
}

/** The window goes back to the application, which may be a program of its own and leaves the page as it is. */
function Leaving({ to, host }) {
  useEffect(() => location.assign(to), [])
  return html`<main class="sign-in">
    <h1>Done</h1>
    <p>Going on at <a href=${to} dir="ltr">${host}</a>. This page can be closed.</p>
  </main>`
}

render(html`<${Connect} />`, document.getElementById('connect'))
