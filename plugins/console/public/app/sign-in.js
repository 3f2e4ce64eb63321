import { call } from './api.js'
import { Field, Form } from './forms.js'
import { html } from './library.js'

/** @param {{onSignedIn: () => void}} props */
export function SignIn({ onSignedIn }) {
  const send = async ({ email, password }) => {
    await call('POST', '/v1/auth/sign-in/email', { body: { email, password }, everywhere: true })
    onSignedIn()
  }
  return html`<main class="sign-in">
    <img src="/console/icon.svg" alt="" width="48" height="48" />
    <h1>Mneme</h1>
    <p class="quiet">Sign in with the account that the first start of the service printed.</p>
    <${Form} send=${send} action="Sign in">
      <${Field} label="E-mail" name="email" type="email" required autocomplete="username" autofocus />
      <${Field} label="Password" name="password" type="password" required autocomplete="current-password" />
    <//>
  </main>`
}
