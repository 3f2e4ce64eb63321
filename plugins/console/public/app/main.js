import { BASE, navigate, ROOT } from './address.js'
import { call, chooseWorkspace, chosenWorkspace, onSignedOut } from './api.js'
import { loadFailedAgain } from './data.js'
import { html, render, useEffect, useState } from './library.js'
import { Button, Fault } from './parts.js'
import { Shell } from './shell.js'
import { accept, forgetInvitation, goBack, invitation, SignIn, SignInAgain } from './sign-in.js'
import { mayLeave } from './unsaved.js'

/** Signs in, then shows the console in one of the account's workspaces. */
function Console() {
  const [session, setSession] = useState({ state: 'unknown' })
  const open = async () => setSession(await openSession().catch(error => ({ state: 'broken', error })))
  useEffect(() => {
    // What was typed stays where it is while the account signs in again.
    onSignedOut(() =>
      setSession(before => (before.state === 'signed in' ? { ...before, hasEnded: true } : { state: 'signed out' })),
    )
    void open()
  }, [])
  const choose = id => {
    // Nothing of the workspace before is there to be clicked until the other one is open.
    setSession({ state: 'unknown' })
    chooseWorkspace(id)
    navigate(rootOf(location.pathname))
    void open()
  }
  const signOut = async () => {
    if (!mayLeave()) return
    try {
      await call('POST', '/v1/auth/sign-out', { body: {}, everywhere: true })
      location.assign(`${BASE}/`)
    } catch (error) {
      setSession({ state: 'broken', error })
    }
  }
  if (session.state === 'unknown') return null
  if (session.state === 'broken') {
    const again = () => {
      forgetInvitation()
      void open()
    }
    return html`<main class="sign-in">
      <${Fault} error=${session.error} />
      <${Button} onClick=${again}>Try again<//>
    </main>`
  }
  if (session.state === 'signed out') return html`<${SignIn} onSignedIn=${open} />`
  if (session.state === 'no workspace') return html`<${NoWorkspace} email=${session.email} onSignOut=${signOut} />`
  const openAgain = async () => {
    const next = await openSession()
    if (next.state !== 'signed in') throw new Error('The browser did not keep the session.')
    setSession(next)
    loadFailedAgain()
  }
  const refresh = async () => {
    const next = await openSession().catch(() => ({ state: 'broken' }))
    if (next.state === 'signed in') setSession(next)
  }
  const { email, workspace, hasEnded } = session
  return html`
    <${Shell} key=${`${email} ${workspace.id}`} session=${session} onWorkspace=${choose} onChanged=${refresh} onSignOut=${signOut} />
    ${hasEnded && html`<${SignInAgain} onSignedIn=${openAgain} />`}
  `
}

/** An account that a provider vouched for has none until somebody invites it. */
function NoWorkspace({ email, onSignOut }) {
  return html`<main class="sign-in">
    <h1>No workspace</h1>
    <p class="quiet">Memories lie in workspaces. Ask somebody to invite <b dir="auto">${email}</b> to one, and open the link.</p>
    <${Button} onClick=${onSignOut}>Sign out<//>
  </main>`
}

async function openSession() {
  const account = await call('GET', '/v1/auth/get-session', { everywhere: true })
  if (!account) return { state: 'signed out' }
  const { email } = account.user
  if (invitation()) {
    const { workspace_id: id } = await accept()
    chooseWorkspace(id)
  }
  const workspaces = await allWorkspaces().catch(error => (error.status === 401 ? [] : Promise.reject(error)))
  const workspace =
    workspaces.find(({ id }) => id === chosenWorkspace()) ?? workspaces.find(({ mode }) => mode === 'live')
  if (!workspace) return { state: 'no workspace', email }
  chooseWorkspace(workspace.id)
  const menu = await call('GET', '/v1/console/menu')
  const pages = menu.pages.map(page => ({ ...page, path: `${ROOT}${page.path}` }))
  return { state: 'signed in', email, workspaces, workspace, pages }
}

/** The view that an address is in, without what it shows of it. */
function rootOf(path) {
  return `/${path.slice(BASE.length).split('/')[1] ?? ''}`
}

const PAGE_SIZE = 100
const PAGES_MAX = 10

async function allWorkspaces() {
  const workspaces = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = { page, page_size: PAGE_SIZE }
    const { data, total } = await call('GET', '/v1/workspaces', { query, everywhere: true })
    workspaces.push(...data)
    if (workspaces.length >= total || data.length === 0) break
  }
  return workspaces.flatMap(workspace => [workspace, ...testTwinOf(workspace)])
}

/** Keys of the mode `test` work on a workspace beside the live one, which lists leave out. */
function testTwinOf(workspace) {
  const { mode, test_workspace_id: id } = workspace
  return mode === 'live' && id ? [{ ...workspace, id, mode: 'test', test_workspace_id: null }] : []
}

if (!goBack()) render(html`<${Console} />`, document.getElementById('console'))
