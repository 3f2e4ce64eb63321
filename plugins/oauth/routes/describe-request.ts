import { ok, permissionCatalogue, Type } from 'mneme/plugin'
import { addressesOf } from '../addresses.ts'
import { hostOf } from '../clients.ts'
import { answerUrl, readRequest, requestParameters } from '../request.ts'
import { route } from '../route.ts'
import { scopesOf } from '../scope.ts'

const described = Type.Object({
  client_name: Type.String({ description: 'As the application calls itself.' }),
  redirect_host: Type.String({ description: 'Where the answer goes.' }),
  permissions: Type.Array(
    Type.Object({
      permission: Type.String({ description: 'As keys list it.' }),
      allows: Type.String({ description: 'The permission allows this, in words for people.' }),
    }),
    { description: 'The application asks for these, and the role of the account in the workspace includes them.' },
  ),
  refusal: Type.Union([Type.String(), Type.Null()], { description: 'Why nobody can grant it; null where it can be.' }),
  deny_url: Type.String({ description: 'The browser goes there where the account does not consent.' }),
})

export const describeRequestRoute = route({
  method: 'GET',
  path: '/v1/connections/request',
  operationId: 'getConnectionRequest',
  access: 'person',
  beyondQuota: true,
  summary: 'Tell what an application asks for',
  description:
    'For the page where a signed-in account consents: the parameters are those that the application sent the browser with.',
  query: Type.Object(requestParameters),
  responses: { 200: described },
  errors: ['APPLICATION_UNKNOWN'],
  examples: {
    response: {
      client_name: 'Claude',
      redirect_host: 'claude.ai',
      permissions: [{ permission: 'memory.read', allows: 'List, search and view memories.' }],
      refusal: null,
      deny_url:
        'https://claude.ai/api/mcp/auth_callback?error=access_denied&state=5mD1&iss=https%3A%2F%2Fmneme.example.com',
    },
  },
  handle({ query, request, caller, scope }) {
    const catalogue = scope.wiring.use(permissionCatalogue)
    const addresses = addressesOf(scope.administration, request)
    const { client, permissions, refusal } = readRequest(query, scope.signer, scopesOf(catalogue), addresses)
    const descriptions = new Map(catalogue.groups().flatMap(group => Object.entries(group.permissions)))
    const { error, message } = refusal ?? { error: 'access_denied', message: 'The account did not consent.' }
    return ok({
      client_name: client.name,
      redirect_host: hostOf(query.redirect_uri),
      permissions: permissions
        .filter(name => caller.permissions === 'all' || caller.permissions.has(name))
        .map(permission => ({ permission, allows: descriptions.get(permission) ?? '' })),
      refusal: refusal?.message ?? null,
      deny_url: answerUrl(query, addresses, { error, error_description: message }),
    })
  },
})
