import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { OidcOptions } from './oidc-settings.ts'
import { OIDC_PROVIDER, oidcCallback } from './oidc-settings.ts'

/** Sets up sign-in by the provider of the settings; its ID tokens are verified by the keys that it publishes. */
export function oidcPlugin({ issuer, clientId, clientSecret, address }: OidcOptions) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        redirectURI: oidcCallback(address),
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
      },
    ],
  })
}

/** Refuses an account to whoever has none: the domain is not listed, or the provider does not vouch for the address. */
export function newAccountsFor({ domains, isInvited }: OidcOptions) {
  return async ({ email, emailVerified }: { email: string; emailVerified: boolean }) => {
    const address = email.toLowerCase()
    const isListed = domains.includes(address.slice(address.lastIndexOf('@') + 1))
    if (emailVerified && (isListed || (await isInvited(address)))) return
    throw new APIError('FORBIDDEN', { code: 'no_account', message: 'Nobody has invited this address.' })
  }
}
