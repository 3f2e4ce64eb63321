import './styles/main.css'
import { type ComponentChildren, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { navigate } from './address.tsx'
import { call, chooseWorkspace, onSignedOut } from './api.ts'
import { loadFailedAgain } from './data.ts'
import { Button, Fault, Skeleton } from './parts.tsx'
import { addressedWorkspace, BASE, hrefOf, pathInWorkspace } from './place.ts'
import { type Opened, openSession, type Workspace } from './session.ts'
import { Shell } from './shell/shell.tsx'
import { showTheme } from './shell/theme.ts'
import { forgetInvitation, goBack, SignIn, SignInAgain } from './sign-in.tsx'
import { mayLeave } from './unsaved.ts'

type State = { state: 'unknown' } | { state: 'broken'; error: Error } | (Opened & { hasEnded?: boolean })

/** Signs in, then shows the console in one of the account's workspaces. */
function Console() {
  const [shown, setShown] = useState<State>({ state: 'unknown' })
  const open = async () => setShown(await openSession().catch((error: Error) => ({ state: 'broken', error }) as const))
  useEffect(() => {
    // What was typed stays where it is while the account signs in again.
    onSignedOut(() =>
      setShown(before => (before.state === 'signed in' ? { ...before, hasEnded: true } : { state: 'signed out' })),
    )
    void open()
  }, [])
  const choose = (id: string) => {
    const [, view = ''] = pathInWorkspace().split('/')
    chooseWorkspace(id)
    navigate(`/${view}`)
    // Nothing of the workspace before is there to be clicked until the other one is open.
    setShown({ state: 'unknown' })
    void open()
  }
  const signOut = async () => {
    if (!mayLeave()) return
    try {
      await call('POST', '/v1/auth/sign-out', { body: {}, everywhere: true })
      location.assign(`${BASE}/`)
    } catch (error) {
      setShown({ state: 'broken', error: error as Error })
    }
  }
  switch (shown.state) {
    case 'unknown':
      return <Opening />
    case 'broken':
      return <Broken error={shown.error} onAgain={open} />
    case 'signed out':
      return <SignIn onSignedIn={open} />
    case 'no workspace':
      return <NoWorkspace email={shown.email} onSignOut={signOut} />
    case 'strange':
      return <Strange workspaces={shown.workspaces} />
  }
  const refresh = async () => {
    const next = await openSession().catch(() => undefined)
    if (next?.state === 'signed in') setShown(next)
  }
  const openAgain = async () => {
    const next = await openSession()
    if (next.state !== 'signed in') throw new Error('The browser did not keep the session.')
    setShown(next)
    loadFailedAgain()
  }
  const { session, hasEnded } = shown
  // Old addresses name no workspace; one that is copied from now on does.
  if (addressedWorkspace() === undefined)
    history.replaceState(history.state, '', hrefOf(pathInWorkspace() + location.search + location.hash))
  const key = `${session.email} ${session.workspace.id}`
  return (
    <>
      <Shell key={key} session={session} onWorkspace={choose} onChanged={refresh} onSignOut={signOut} />
      {hasEnded && <SignInAgain onSignedIn={openAgain} />}
    </>
  )
}

/** Has the shape of what comes, so that nothing jumps. */
const Opening = () => (
  <div class="shell">
    <div class="menu" />
    <main class="view">
      <Skeleton rows={6} />
    </main>
  </div>
)

function Broken({ error, onAgain }: { error: Error; onAgain: () => Promise<void> }) {
  const again = () => {
    forgetInvitation()
    void onAgain()
  }
  return (
    <Door>
      <Fault error={error} />
      <Button onClick={again} label="Try again" />
    </Door>
  )
}

/** An account that a provider vouched for has none until somebody invites it. */
const NoWorkspace = ({ email, onSignOut }: { email: string; onSignOut: () => void }) => (
  <Door>
    <h1>No workspace</h1>
    <p class="quiet">
      Memories lie in workspaces. Ask somebody to invite <b dir="auto">{email}</b> to one, and open the link.
    </p>
    <Button onClick={onSignOut} label="Sign out" />
  </Door>
)

/** The address names a workspace of somebody else, or one that is gone. */
const Strange = ({ workspaces }: { workspaces: readonly Workspace[] }) => (
  <Door>
    <h1>No such workspace</h1>
    <p class="quiet">It is gone, or nobody has invited you to it. These are yours:</p>
    <ul>
      {workspaces.map(({ id, name, mode }) => (
        <li key={id}>
          <a dir="auto" href={`${BASE}/w/${id}/`}>
            {mode === 'test' ? `${name} (test)` : name}
          </a>
        </li>
      ))}
    </ul>
  </Door>
)

const Door = ({ children }: { children: ComponentChildren }) => <main class="sign-in">{children}</main>

showTheme()
if (!goBack()) render(<Console />, document.getElementById('console') as HTMLElement)
