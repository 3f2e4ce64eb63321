import { type Static, Type, text } from 'mneme/plugin'
import { type Addresses, meansResource } from './addresses.ts'
import { type Client, findClient, isRegistered } from './clients.ts'
import { failOAuth } from './errors.ts'
import type { Signer } from './signer.ts'

const parameter = (description: string, maxLength = 2000) => Type.Optional(text({ maxLength, description }))

/** The parameters that an application sends a browser with (RFC 6749, 4.1.1; RFC 7636; RFC 8707). */
export const requestParameters = {
  client_id: text({ maxLength: 4096, description: 'The id that the application got when it registered.' }),
  redirect_uri: text({ maxLength: 2000, description: 'Where the answer goes.' }),
  response_type: parameter('`code`.'),
  code_challenge: parameter('SHA-256 of the verifier, in base64url.'),
  code_challenge_method: parameter('`S256`.'),
  scope: parameter('Permissions, separated by spaces; all that an application may have where it is left out.', 4000),
  state: parameter('Goes back with the answer.', 4000),
  resource: parameter('What the token is for: the address of the MCP endpoint.'),
}

export const requestSchema = Type.Object(requestParameters, { description: 'The parameters of the application.' })
export type AuthorizationRequest = Static<typeof requestSchema>

/** A request of an application that this service knows, for an address that is its own. */
export interface ReadRequest {
  readonly client: Client
  readonly permissions: readonly string[]
  /** It says why nobody can grant the request. */
  readonly refusal?: { readonly error: string; readonly message: string }
}

/** 43 characters of base64url hold 32 bytes. */
const CHALLENGE = /^[\w-]{43}$/

/**
 * Reads a request. Nothing is sent anywhere for one that does not name a registered client and an address of it: it throws APPLICATION_UNKNOWN.
 */
export function readRequest(
  request: AuthorizationRequest,
  signer: Signer,
  scopes: ReadonlySet<string>,
  addresses: Addresses,
): ReadRequest {
  const client = findClient(signer, request.client_id)
  if (!client) throw failOAuth('APPLICATION_UNKNOWN')
  if (!isRegistered(client, request.redirect_uri)) {
    throw failOAuth('APPLICATION_UNKNOWN', {
      message: 'The application did not register the address that it wants the answer at.',
    })
  }
  const asked = request.scope?.split(' ').filter(Boolean) ?? []
  // Scopes that this service does not have, as those of OpenID Connect, are left out (RFC 6749, 3.3).
  const permissions = [...scopes].filter(name => asked.length === 0 || asked.includes(name))
  const refusal = refusalOf(request, permissions, addresses)
  return { client, permissions, ...(refusal ? { refusal } : {}) }
}

function refusalOf(
  request: AuthorizationRequest,
  permissions: readonly string[],
  addresses: Addresses,
): ReadRequest['refusal'] {
  if (request.response_type !== 'code')
    return { error: 'unsupported_response_type', message: 'response_type must be code.' }
  if (request.code_challenge_method !== 'S256' || !CHALLENGE.test(request.code_challenge ?? ''))
    return { error: 'invalid_request', message: 'A code_challenge by the method S256 is required.' }
  if (!meansResource(request.resource, addresses))
    return { error: 'invalid_target', message: `Tokens are issued for ${addresses.resource} alone.` }
  if (permissions.length === 0) return { error: 'invalid_scope', message: 'None of the scopes is one of this service.' }
  return undefined
}

/** Where the browser goes with an answer. */
export function answerUrl(
  { redirect_uri: uri, state }: AuthorizationRequest,
  { issuer }: Addresses,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer }))
    url.searchParams.set(name, value)
  return url.href
}
