import { createHmac, timingSafeEqual } from 'node:crypto'
import { ACCESS_TOKEN_PREFIX } from 'mneme/plugin'

/** A signed text begins with what it is, so that people and scanners of leaked secrets can tell. */
const PREFIXES = {
  client: 'mn_client_',
  code: 'mn_code_',
  access: ACCESS_TOKEN_PREFIX,
  refresh: 'mn_refresh_',
} as const

export type Kind = keyof typeof PREFIXES

/** Whatever is longer was not signed here. */
const LENGTH_MAX = 4096

/** Makes texts that nobody else can make, and reads its own: clients and tokens need no row to be known, and a made-up one costs no statement. */
export interface Signer {
  sign(kind: Kind, value: readonly unknown[]): string
  /** Returns what was signed; undefined for any other text. */
  read(kind: Kind, text: string): readonly unknown[] | undefined
}

/** @param keys in hex: the one that signs first, then former ones, which are still believed */
export function createSigner(keys: readonly string[]): Signer {
  const macOf = (key: string, signed: string) => createHmac('sha256', Buffer.from(key, 'hex')).update(signed).digest()
  return {
    sign(kind, value) {
      const signed = PREFIXES[kind] + Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${signed}.${macOf(keys[0] ?? '', signed).toString('base64url')}`
    },
    read(kind, text) {
      if (text.length > LENGTH_MAX || !text.startsWith(PREFIXES[kind])) return undefined
      const [signed = '', mac = '', ...more] = text.split('.')
      const given = Buffer.from(mac, 'base64url')
      // Another writing of the same bytes would be another text for the same token.
      if (more.length > 0 || given.toString('base64url') !== mac) return undefined
      const isOwn = keys.some(key => given.length === 32 && timingSafeEqual(macOf(key, signed), given))
      return isOwn ? JSON.parse(Buffer.from(signed.slice(PREFIXES[kind].length), 'base64url').toString()) : undefined
    },
  }
}

/** A token names its connection, and counts something: seconds since 1970 where it ends, or which refresh token it is. */
export interface Ticket {
  readonly workspaceId: string
  readonly id: string
  readonly count: number
}

export function signTicket(signer: Signer, kind: Exclude<Kind, 'client'>, { workspaceId, id, count }: Ticket): string {
  return signer.sign(kind, [workspaceId, id, count])
}

export function readTicket(signer: Signer, kind: Exclude<Kind, 'client'>, text: string): Ticket | undefined {
  const [workspaceId, id, count] = signer.read(kind, text) ?? []
  return id === undefined ? undefined : { workspaceId: String(workspaceId), id: String(id), count: Number(count) }
}

export const secondsNow = (): number => Math.floor(Date.now() / 1000)
