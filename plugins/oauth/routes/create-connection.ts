import { created, fail, permissionCatalogue, Type, text, validationError } from 'mneme/plugin'
import { addressesOf } from '../addresses.ts'
import { digestOf } from '../clients.ts'
import { connectionEvent } from '../events.ts'
import { endFormer, insertConnection } from '../queries/connections.ts'
import { answerUrl, readRequest, requestSchema } from '../request.ts'
import { route } from '../route.ts'
import { scopesOf } from '../scope.ts'
import { secondsNow, signTicket } from '../signer.ts'

const CODE_SECONDS = 120
/** An account lets so many applications into a workspace; the oldest ends with the next. */
const CONNECTIONS_MAX = 100

const body = Type.Object({
  request: requestSchema,
  permissions: Type.Array(text({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    description: 'What the application may do, of what it asks for.',
  }),
  user_id: Type.Optional(
    text({
      minLength: 1,
      maxLength: 255,
      notBlank: true,
      description: "It reads and writes only this user's; left out: everything of the workspace.",
    }),
  ),
})

export const createConnectionRoute = route({
  method: 'POST',
  path: '/v1/connections',
  operationId: 'createConnection',
  access: 'person',
  beyondQuota: true,
  summary: 'Let an application into a workspace',
  description:
    'The signed-in account consents to what the application asked for, or to a part of it. The response says where the browser goes with the code.',
  body,
  responses: {
    201: Type.Object({ redirect_url: Type.String({ description: 'The browser goes there, once.' }) }),
  },
  secretResponse: true,
  errors: ['APPLICATION_UNKNOWN'],
  examples: {
    body: {
      request: {
        response_type: 'code',
        client_id: 'mn_client_WyJDbGF1ZGUi…',
        redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        state: '5mD1',
      },
      permissions: ['memory.read', 'memory.write'],
    },
    response: {
      redirect_url:
        'https://claude.ai/api/mcp/auth_callback?code=mn_code_WyIwMTk4…&state=5mD1&iss=https%3A%2F%2Fmneme.example.com',
    },
  },
  async handle({ body: { request: asked, permissions: wanted, user_id: userId }, request, caller, tenant, scope }) {
    const { workspaceId, workspace } = tenant
    if (workspace.twinOf !== null)
      throw validationError([{ path: 'workspace_id', message: 'must be a live workspace' }])
    const addresses = addressesOf(scope.administration, request)
    const scopes = scopesOf(scope.wiring.use(permissionCatalogue))
    const { client, permissions, refusal } = readRequest(asked, scope.signer, scopes, addresses)
    if (refusal) throw validationError([{ path: 'request', message: refusal.message }])
    const granted = [...new Set(wanted)]
    const beyond = granted.find(
      name => !permissions.includes(name) || (caller.permissions !== 'all' && !caller.permissions.has(name)),
    )
    if (beyond !== undefined)
      throw fail('FORBIDDEN', {
        message: `The application did not ask for ${beyond}, or your role in the workspace lacks it.`,
      })
    const connection = await tenant.transaction(async tx => {
      const made = await insertConnection(tx, {
        workspaceId,
        accountId: caller.accountId,
        client: digestOf(client.id),
        clientName: client.name,
        redirectUri: asked.redirect_uri,
        permissions: granted,
        userId: userId ?? null,
        resource: addresses.resource,
        challenge: asked.code_challenge ?? '',
        expiresAt: new Date(Date.now() + CODE_SECONDS * 1000),
      })
      await endFormer(tx, made, CONNECTIONS_MAX)
      await scope.events.publish(tx, [connectionEvent('connection.created', made)])
      return made
    })
    const code = signTicket(scope.signer, 'code', {
      workspaceId,
      id: connection.id,
      count: secondsNow() + CODE_SECONDS,
    })
    return created({ redirect_url: answerUrl(asked, addresses, { code }) })
  },
})
