import type { ConfigFault, CoreConfig } from '../config.ts'
import { splitList } from '../parts.ts'
import { AUTH_PATH } from './session-endpoints.ts'

/** Credentials of accounts name the provider so. */
export const OIDC_PROVIDER = 'oidc'

/** Sign-in by a provider of OpenID Connect. */
export interface OidcOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whoever has an address of one of these gets an account. */
  readonly domains: readonly string[]
  /** The service, as browsers reach it, without a slash at the end. */
  readonly address: string
  /** Tells whether an invitation waits for an address. */
  isInvited(email: string): Promise<boolean>
}

/** The provider sends people back to here. */
export const oidcCallback = (address: string): string => `${address}${AUTH_PATH}/callback/${OIDC_PROVIDER}`

/** It sends them on to here. */
export const consoleOf = ({ address }: Pick<OidcOptions, 'address'>): string => `${address}/console/`

type Settings = Pick<
  CoreConfig,
  'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_DOMAINS' | 'PASSWORD_SIGN_IN' | 'PUBLIC_URL'
>

/** Reads the settings; undefined where there is no provider. */
export function oidcOf(settings: Settings, basePath: string): Omit<OidcOptions, 'isInvited'> | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL } = settings
  if (!issuer || !clientId || !clientSecret || !PUBLIC_URL) return undefined
  const domains = splitList(settings.OIDC_DOMAINS).map(domain => domain.toLowerCase().replace(/^@/, ''))
  return {
    issuer,
    clientId,
    clientSecret,
    domains,
    address: `${new URL(PUBLIC_URL).origin}${basePath}`,
  }
}

/** Says what is missing, so that nobody is locked out by half of the settings. */
export function oidcFaults(settings: Settings): ConfigFault[] {
  const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL'] as const
  const isOff = settings.PASSWORD_SIGN_IN === 'off'
  if (!isOff && !settings.OIDC_ISSUER) return []
  const why = isOff ? 'PASSWORD_SIGN_IN=off leaves no other way to sign in' : 'OIDC_ISSUER is set'
  return needed.flatMap(name => (settings[name] ? [] : [{ name, message: `must be set, as ${why}.` }]))
}
