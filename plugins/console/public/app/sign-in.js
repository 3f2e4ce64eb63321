import { BASE } from './address.js'
import { call, SIGN_IN } from './api.js'
import { Dialog, Field, Form } from './forms.js'
import { html } from './library.js'

/** @param {{onSignedIn: () => Promise<void>}} props */
export function SignIn({ onSignedIn }) {
  return html`<main class="sign-in">
    <img src=${`${BASE}/icon.svg`} alt="" width="48" height="48" />
    <h1>Mneme</h1>
    <p class="quiet">Sign in with the account that the first start of the service printed.</p>
    <${Credentials} onSignedIn=${onSignedIn} />
  </main>`
}

/** Covers a page whose session has ended, and leaves it as it is. */
export function SignInAgain({ onSignedIn }) {
  return html`<${Dialog} title="Sign in again" class="cover" mayClose=${() => false}>
    <p class="quiet">The session has ended. What you typed is still there.</p>
    <${Credentials} onSignedIn=${onSignedIn} />
  <//>`
}

function Credentials({ onSignedIn }) {
  const send = async ({ email, password }) => {
    await call('POST', SIGN_IN, { body: { email, password }, everywhere: true })
    await onSignedIn()
  }
  return html`<${Form} send=${send} action="Sign in">
    <${Field} label="E-mail" name="email" type="email" required autocomplete="username" autofocus />
    <${Field} label="Password" name="password" type="password" required autocomplete="current-password" />
  <//>`
}
