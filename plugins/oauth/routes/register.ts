import { Type } from 'mneme/plugin'
import { PATHS } from '../addresses.ts'
import { registerClient } from '../clients.ts'
import { answered, failureBody, json, OAuthError } from '../protocol.ts'
import { route } from '../route.ts'
import { secondsNow } from '../signer.ts'

export const registerRoute = route({
  method: 'POST',
  path: PATHS.register,
  access: 'public',
  raw: true,
  bodyMaxBytes: 16_384,
  ignoresUnknownQuery: true,
  summary: 'Register an application (RFC 7591)',
  failureBody,
  responses: { 201: Type.Unknown() },
  handle: ({ request, scope }) =>
    answered(async () => {
      const client = registerClient(scope.signer, await readJson(request))
      return json(201, {
        client_id: client.id,
        client_id_issued_at: secondsNow(),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        // This replaces what else the application asked for (RFC 7591, 3.2.1).
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      })
    }),
})

async function readJson(request: Request): Promise<unknown> {
  const text = await request.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body must be JSON.')
  }
}
