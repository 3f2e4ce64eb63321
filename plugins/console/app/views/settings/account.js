import { call } from '../../api.ts'
import { useAction, useData } from '../../data.ts'
import { Check, Confirmed, Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Badge, Button, Card, Fault, Loaded, Notice, Table, Time } from '../../parts.tsx'

const PASSWORD_MIN = 8

/** The password and the sessions of the account. */
export function Account({ email }) {
  const sessions = useData('/v1/auth/list-sessions', {}, { everywhere: true })
  return html`
    <${Password} email=${email} onChanged=${sessions.reload} />
    <${Sessions} sessions=${sessions} />
  `
}

function Password({ email, onChanged }) {
  const [isChanged, setChanged] = useState(false)
  const send = async (values, form) => {
    setChanged(false)
    if (values.newPassword !== values.repeated) throw new Error('The two new passwords are not the same.')
    const { currentPassword, newPassword } = values
    const body = { currentPassword, newPassword, revokeOtherSessions: values.others !== undefined }
    await call('POST', '/v1/auth/change-password', { body, everywhere: true })
    form.reset()
    setChanged(true)
    await onChanged()
  }
  const limits = { type: 'password', required: true }
  const fresh = { ...limits, minlength: PASSWORD_MIN, autocomplete: 'new-password' }
  return html`<${Card} title="Password">
    <p class="quiet">You are signed in as <b>${email}</b>.</p>
    <${Form} send=${send} action="Change the password">
      <${Field} label="Present password" name="currentPassword" autocomplete="current-password" ...${limits} />
      <${Field} label="New password" name="newPassword" hint=${`At least ${PASSWORD_MIN} characters.`} ...${fresh} />
      <${Field} label="New password once more" name="repeated" ...${fresh} />
      <${Check} label="Sign out everywhere else" name="others" defaultChecked />
      ${isChanged && html`<${Notice} kind="good"><p>The password is changed.</p><//>`}
    <//>
  <//>`
}

function Sessions({ sessions }) {
  const end = useAction(async token => {
    await call('POST', '/v1/auth/revoke-session', { body: { token }, everywhere: true })
    await sessions.reload()
  })
  const endOthers = async () => {
    await call('POST', '/v1/auth/revoke-other-sessions', { body: {}, everywhere: true })
    await sessions.reload()
  }
  return html`<${Card} title="Sessions">
    <p class="quiet">Browsers in which this account is signed in.</p>
    <${Fault} error=${end.error} />
    <${Loaded} from=${sessions}>
      ${data => html`
        <${Table} label="Sessions" columns=${columnsOf(end)} rows=${data} />
        ${
          data.length > 1 &&
          html`<div class="row end">
            <${Confirmed} label="Sign out everywhere else" question=${QUESTION} act=${endOthers} />
          </div>`
        }
      `}
    <//>
  <//>`
}

const QUESTION = 'All other browsers in which this account is signed in are signed out. This one stays signed in.'

/** The own session is the one without a token. */
function columnsOf(end) {
  return [
    { title: 'Browser', cell: ({ userAgent }) => userAgent || 'Unknown' },
    { title: 'Address', cell: ({ ipAddress }) => ipAddress || 'Unknown' },
    { title: 'Signed in', cell: ({ createdAt }) => html`<${Time} at=${createdAt} />` },
    { title: 'Ends', cell: ({ expiresAt }) => html`<${Time} at=${expiresAt} />` },
    {
      title: 'Action',
      cell: session =>
        session.token === undefined
          ? html`<${Badge} kind="good">This one<//>`
          : html`<${SignOut} session=${session} end=${end} />`,
    },
  ]
}

function SignOut({ session: { token, userAgent, createdAt }, end }) {
  const named = `Sign out ${userAgent || 'an unknown browser'}, signed in ${new Date(createdAt).toLocaleString('en-GB')}`
  return html`<${Button} isBusy=${end.isBusy} onClick=${() => end.run(token)} aria-label=${named}>Sign out<//>`
}
