import { createHash } from 'node:crypto'
import { isStorableText } from 'mneme/plugin'
import { OAuthError } from './protocol.ts'
import type { Signer } from './signer.ts'

/** An application as it registered itself. Its id holds all of it, signed, so that registration stores nothing (RFC 7591, A.5.2). */
export interface Client {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

const NAME_MAX = 100
const REDIRECTS_MAX = 10
/** All addresses together: the id is part of an address itself. */
const REDIRECTS_LENGTH_MAX = 1200

/** Editors whose links have no dot in their scheme, as RFC 8252 would have it. */
const EDITOR_SCHEMES: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:'])
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Registers an application by its metadata. Throws an error of RFC 7591. */
export function registerClient(signer: Signer, metadata: unknown): Client {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw refused('The body must be a JSON object.')
  const { redirect_uris: given, client_name: named = '' } = metadata as Record<string, unknown>
  if (typeof named !== 'string' || named.length > NAME_MAX || !isStorableText(named))
    throw refused(`client_name must be a text of at most ${NAME_MAX} characters.`)
  if (!Array.isArray(given) || given.length === 0 || given.length > REDIRECTS_MAX)
    throw refused(`redirect_uris must list 1 to ${REDIRECTS_MAX} addresses.`, 'invalid_redirect_uri')
  const redirectUris = given
    .map(uri => (typeof uri === 'string' && isAllowed(uri) ? uri : undefined))
    .filter(uri => uri !== undefined)
  if (redirectUris.length < given.length || redirectUris.join('').length > REDIRECTS_LENGTH_MAX) {
    const message = `redirect_uris must be https addresses, http addresses of this machine, or those of an application's own scheme, without a fragment, of ${REDIRECTS_LENGTH_MAX} characters together.`
    throw refused(message, 'invalid_redirect_uri')
  }
  const name = named.replace(/\p{C}+/gu, ' ').trim() || hostOf(redirectUris[0] ?? '')
  return { id: signer.sign('client', [name, redirectUris]), name, redirectUris }
}

export function findClient(signer: Signer, id: string): Client | undefined {
  const [name, redirectUris] = signer.read('client', id) ?? []
  return Array.isArray(redirectUris) ? { id, name: String(name), redirectUris: redirectUris.map(String) } : undefined
}

/** Tells whether a client registered an address: to the letter, but for the port of one on the own machine (RFC 8252, 7.3). */
export function isRegistered({ redirectUris }: Client, uri: string): boolean {
  if (redirectUris.includes(uri)) return true
  const bare = withoutPort(uri)
  return bare !== undefined && redirectUris.some(registered => withoutPort(registered) === bare)
}

/** People are shown this of where an application has its answers sent. */
export function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`
}

export const digestOf = (clientId: string): string => createHash('sha256').update(clientId).digest('hex')

function isAllowed(uri: string): boolean {
  if (!URL.canParse(uri) || uri.includes('#') || !isStorableText(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username || password) return false
  if (protocol === 'http:') return LOOPBACK.has(hostname)
  // Whatever a browser would run or open itself has no dot in its scheme.
  return protocol === 'https:' || protocol.includes('.') || EDITOR_SCHEMES.has(protocol)
}

function withoutPort(uri: string): string | undefined {
  if (!isAllowed(uri)) return undefined
  const url = new URL(uri)
  if (url.protocol !== 'http:') return undefined
  url.port = ''
  return url.href
}

function refused(message: string, code = 'invalid_client_metadata'): OAuthError {
  return new OAuthError(code, message)
}
