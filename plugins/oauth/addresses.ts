import type { Administration } from 'mneme/plugin'
import { RESOURCE_PATH } from './contract.ts'

/** The console's page where people consent. */
const CONSENT_PATH = '/connect/authorize'

export const PATHS = {
  token: '/v1/oauth/token',
  register: '/v1/oauth/register',
  revoke: '/v1/oauth/revoke',
  server: '/.well-known/oauth-authorization-server',
  resource: '/.well-known/oauth-protected-resource',
} as const

/** The addresses of this service, as the client of a request reaches it. */
export interface Addresses {
  /** Names the service to clients: it issues the tokens. */
  readonly issuer: string
  /** The tokens are for this. */
  readonly resource: string
}

export function addressesOf({ accounts }: Pick<Administration, 'accounts'>, request: Request): Addresses {
  const issuer = accounts.addressOf(request)
  return { issuer, resource: `${issuer}${RESOURCE_PATH}` }
}

/** Describes the authorization server (RFC 8414). */
export function serverMetadata({ issuer }: Addresses, scopes: Iterable<string>) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${CONSENT_PATH}`,
    token_endpoint: `${issuer}${PATHS.token}`,
    registration_endpoint: `${issuer}${PATHS.register}`,
    revocation_endpoint: `${issuer}${PATHS.revoke}`,
    scopes_supported: [...scopes],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** Describes what the tokens are for (RFC 9728). */
export function resourceMetadata({ issuer, resource }: Addresses, scopes: Iterable<string>) {
  return {
    resource,
    resource_name: 'Mneme',
    authorization_servers: [issuer],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
  }
}

/** Tells a client without a good token where the description of the resource is. */
export function challengeOf({ issuer }: Addresses, { headers }: Request): string {
  const metadata = `resource_metadata="${issuer}${PATHS.resource}${RESOURCE_PATH}"`
  return headers.has('authorization') ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}

/** Tells whether a client means the resource; the query of its address, which has defaults of tools, is none of the resource's name. */
export function meansResource(given: string | undefined, { resource }: Addresses): boolean {
  if (given === undefined || given === resource) return true
  if (!URL.canParse(given) || given.includes('#')) return false
  const { origin, pathname } = new URL(given)
  return `${origin}${pathname}` === new URL(resource).href
}
