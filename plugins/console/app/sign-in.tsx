import { call, SIGN_IN } from './api.ts'
import { useData } from './data.ts'
import { Dialog, Field, Form, type Values } from './forms.tsx'
import icon from './icon.svg'
import { Notice } from './parts.tsx'
import { BASE, ROOT } from './place.ts'

const RETURN = 'mneme.return'

/** The provider sends people to the console. Whoever was asked something elsewhere goes back there. */
export function goBack(): boolean {
  const place = sessionStorage.getItem(RETURN)
  sessionStorage.removeItem(RETURN)
  if (!place || location.search) return false
  location.replace(place)
  return true
}

function rememberPlace(): void {
  const { pathname, search } = location
  if (!pathname.startsWith(`${BASE}/`)) sessionStorage.setItem(RETURN, pathname + search)
}

const INVITATION = 'mneme.invitation'

/** An invitation's link carries this token. It stays for the tab, as the way to the provider leads over other pages. */
export function invitation(): string | undefined {
  const [, token] = location.hash.match(/^#invitation=([\w-]+)$/) ?? []
  if (token) {
    sessionStorage.setItem(INVITATION, token)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return sessionStorage.getItem(INVITATION) ?? undefined
}

/** Accepts the invitation, and forgets it whatever comes of it. */
export async function accept(body: object = {}): Promise<{ workspace_id: string }> {
  const token = invitation()
  const options = { body: { token, ...body }, everywhere: true }
  const accepted = await call<{ workspace_id: string }>('POST', '/v1/members/accept', options)
  forgetInvitation()
  return accepted
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(INVITATION)
}

/** Why the provider's way in ended at the door; anything else is the service's own fault. */
const REFUSALS: Readonly<Record<string, string>> = {
  no_account: 'Nobody has invited this address, and its domain has no accounts here.',
}

type SignInProps = { onSignedIn: () => Promise<void> }

type Methods = { password: boolean; oidc: boolean }

const useMethods = () => useData<Methods>('/v1/auth/methods', {}, { everywhere: true }).data

async function signIn({ email, password }: Values): Promise<void> {
  await call('POST', SIGN_IN, { body: { email, password }, everywhere: true })
}

export function SignIn({ onSignedIn }: SignInProps) {
  const refusal = new URLSearchParams(location.search).get('error')
  const token = invitation()
  return (
    <main class="sign-in">
      <img src={icon} alt="" width="40" height="40" />
      <h1>Mneme</h1>
      {refusal && (
        <Notice kind="bad">
          <p role="alert">{REFUSALS[refusal] ?? 'The provider did not sign you in. Try again.'}</p>
        </Notice>
      )}
      <p class="quiet">
        {token
          ? 'You are invited to a workspace. Sign in to accept, or make an account.'
          : 'Sign in with the account that the first start of the service printed, or that an invitation made.'}
      </p>
      <Credentials onSignedIn={onSignedIn} />
      {token && <NewAccount onSignedIn={onSignedIn} />}
    </main>
  )
}

/** An invited person makes an account and is signed in. */
function NewAccount({ onSignedIn }: SignInProps) {
  const methods = useMethods()
  if (!methods?.password) return null
  const send = async ({ email, password }: Values) => {
    await accept({ email, password })
    await signIn({ email, password } as Values)
    await onSignedIn()
  }
  return (
    <details>
      <summary>Make an account</summary>
      <Form send={send} action="Make the account">
        <Field label="Your e-mail" name="email" type="email" required autocomplete="username" />
        <Field
          label="New password"
          name="password"
          type="password"
          required
          minlength={8}
          autocomplete="new-password"
        />
      </Form>
    </details>
  )
}

/** Covers a page whose session has ended, and leaves it as it is. */
export const SignInAgain = ({ onSignedIn }: SignInProps) => (
  <Dialog title="Sign in again" class="cover" mayClose={() => false}>
    <p class="quiet">The session has ended. What you typed is still there.</p>
    <Credentials onSignedIn={onSignedIn} />
  </Dialog>
)

function Credentials({ onSignedIn }: SignInProps) {
  const methods = useMethods()
  const send = async (values: Values) => {
    await signIn(values)
    await onSignedIn()
  }
  return (
    <>
      {methods?.oidc && (
        <p>
          <a class="button" href={`${ROOT}/v1/auth/sign-in/oidc`} onClick={rememberPlace}>
            Sign in with your organization
          </a>
        </p>
      )}
      {methods?.password !== false && (
        <Form send={send} action="Sign in">
          <Field label="E-mail" name="email" type="email" required autocomplete="username" autofocus />
          <Field label="Password" name="password" type="password" required autocomplete="current-password" />
        </Form>
      )}
    </>
  )
}
