import { BASE, ROOT } from './address.js'
import { call, SIGN_IN } from './api.js'
import { useData } from './data.js'
import { Dialog, Field, Form } from './forms.js'
import { html } from './library.js'
import { Notice } from './parts.js'

const RETURN = 'mneme.return'

/** The provider sends people to the console. Whoever was asked something elsewhere goes back there. @returns {boolean} */
export function goBack() {
  const place = sessionStorage.getItem(RETURN)
  sessionStorage.removeItem(RETURN)
  if (!place || location.search) return false
  location.replace(place)
  return true
}

function rememberPlace() {
  const { pathname, search } = location
  if (!pathname.startsWith(`${BASE}/`)) sessionStorage.setItem(RETURN, pathname + search)
}

const INVITATION = 'mneme.invitation'

/** An invitation's link carries this token. It stays for the tab, as the way to the provider leads over other pages. */
export function invitation() {
  const [, token] = location.hash.match(/^#invitation=([\w-]+)$/) ?? []
  if (token) {
    sessionStorage.setItem(INVITATION, token)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return sessionStorage.getItem(INVITATION) ?? undefined
}

/** Accepts the invitation, and forgets it whatever comes of it. @returns {Promise<{workspace_id: string}>} */
export async function accept(body = {}) {
  const token = invitation()
  const accepted = await call('POST', '/v1/members/accept', { body: { token, ...body }, everywhere: true })
  forgetInvitation()
  return accepted
}

export function forgetInvitation() {
  sessionStorage.removeItem(INVITATION)
}

/** Why the provider's way in ended at the door; anything else is the service's own fault. */
const REFUSALS = { no_account: 'Nobody has invited this address, and its domain has no accounts here.' }

/** @param {{onSignedIn: () => Promise<void>}} props */
export function SignIn({ onSignedIn }) {
  const refusal = new URLSearchParams(location.search).get('error')
  const token = invitation()
  return html`<main class="sign-in">
    <img src=${`${BASE}/icon.svg`} alt="" width="48" height="48" />
    <h1>Mneme</h1>
    ${refusal && html`<${Notice} kind="bad"><p role="alert">${REFUSALS[refusal] ?? 'The provider did not sign you in. Try again.'}</p><//>`}
    <p class="quiet">
      ${token ? 'You are invited to a workspace. Sign in to accept, or make an account.' : 'Sign in with the account that the first start of the service printed, or that an invitation made.'}
    </p>
    <${Credentials} onSignedIn=${onSignedIn} />
    ${token && html`<${NewAccount} onSignedIn=${onSignedIn} />`}
  </main>`
}

/** An invited person makes an account and is signed in. */
function NewAccount({ onSignedIn }) {
  const { data } = useData('/v1/auth/methods', {}, { everywhere: true })
  if (!data?.password) return null
  const send = async ({ email, password }) => {
    await accept({ email, password })
    await call('POST', SIGN_IN, { body: { email, password }, everywhere: true })
    await onSignedIn()
  }
  return html`<details>
    <summary>Make an account</summary>
    <${Form} send=${send} action="Make the account">
      <${Field} label="Your e-mail" name="email" type="email" required autocomplete="username" />
      <${Field} label="New password" name="password" type="password" required minlength="8" autocomplete="new-password" />
    <//>
  </details>`
}

/** Covers a page whose session has ended, and leaves it as it is. */
export function SignInAgain({ onSignedIn }) {
  return html`<${Dialog} title="Sign in again" class="cover" mayClose=${() => false}>
    <p class="quiet">The session has ended. What you typed is still there.</p>
    <${Credentials} onSignedIn=${onSignedIn} />
  <//>`
}

function Credentials({ onSignedIn }) {
  const { data } = useData('/v1/auth/methods', {}, { everywhere: true })
  const send = async ({ email, password }) => {
    await call('POST', SIGN_IN, { body: { email, password }, everywhere: true })
    await onSignedIn()
  }
  return html`
    ${data?.oidc && html`<p><a class="entry" href=${`${ROOT}/v1/auth/sign-in/oidc`} onClick=${rememberPlace}>Sign in with your organization</a></p>`}
    ${
      data?.password !== false &&
      html`<${Form} send=${send} action="Sign in">
        <${Field} label="E-mail" name="email" type="email" required autocomplete="username" autofocus />
        <${Field} label="Password" name="password" type="password" required autocomplete="current-password" />
      <//>`
    }
  `
}
