import { type Administration, fail, ok, type Tx, validationError } from 'mneme/plugin'
import { failWorkspaces } from '../errors.ts'
import { acceptedExample } from '../examples.ts'
import { acceptedResponse } from '../responses.ts'
import { route } from '../route.ts'
import { acceptBody } from '../schemas.ts'

export const acceptInvitationRoute = route({
  method: 'POST',
  path: '/v1/members/accept',
  operationId: 'acceptInvitation',
  access: 'public',
  readsSession: 'optional',
  summary: 'Accept an invitation',
  description:
    'Makes the signed-in account a member of the workspace. Without a session it makes an account with the given address and password, which signs in then. The link serves once.',
  body: acceptBody,
  responses: { 200: acceptedResponse },
  errors: ['INVITATION_NOT_FOUND', 'ACCOUNT_EXISTS', 'UNAUTHORIZED', 'FORBIDDEN'],
  examples: {
    body: { token: '5mD1…', email: 'bob@example.com', password: 'tea without sugar' },
    response: acceptedExample,
  },
  async handle({ body: { token, email, password }, request, scope }) {
    const { administration, database, events } = scope
    const { accounts, members, remembered } = administration
    if ((email === undefined) !== (password === undefined)) {
      throw validationError([{ path: email === undefined ? 'email' : 'password', message: 'must be given as well' }])
    }
    const signedIn = email === undefined ? await accounts.signedIn(request) : undefined
    if (email === undefined && !signedIn)
      throw fail('UNAUTHORIZED', { message: 'Sign in, or give an e-mail address and a password.' })
    if (email !== undefined && !accounts.hasPasswords) {
      throw fail('FORBIDDEN', {
        message: 'Accounts of this service sign in by its provider: sign in, and open the link again.',
      })
    }
    const hash = password === undefined ? undefined : await accounts.hashPassword(password)
    const { accountId, invitation } = await database.system(
      async tx => {
        const found = await members.lockInvitation(tx, token)
        if (!found) throw failWorkspaces('INVITATION_NOT_FOUND')
        const address = email?.toLowerCase() ?? (signedIn && (await accounts.emailOf(tx, signedIn)))
        if (found.email !== null && found.email !== address) {
          throw fail('FORBIDDEN', { message: 'The invitation is for another e-mail address.' })
        }
        const id = signedIn ?? (await newAccount(administration, tx, address ?? '', hash ?? ''))
        const { workspaceId, role } = found
        await members.put(tx, workspaceId, id, role)
        await members.remove(tx, workspaceId, found.id)
        await events.publish(tx, [{ kind: 'member.joined', workspaceId, subjectId: id, userId: null, data: { role } }])
        return { accountId: id, invitation: found }
      },
      signedIn ? { actor: `session:${signedIn}` } : {},
    )
    remembered.forgetAccount(accountId)
    const { workspaceId, workspaceName, role } = invitation
    return ok({ workspace_id: workspaceId, workspace_name: workspaceName, role })
  },
})

async function newAccount({ accounts }: Administration, tx: Tx, email: string, hash: string): Promise<string> {
  if (await accounts.find(tx, email)) throw failWorkspaces('ACCOUNT_EXISTS')
  return accounts.insert(tx, email, hash)
}
