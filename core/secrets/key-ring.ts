import { createHmac, hkdfSync } from 'node:crypto'

/** Holds a master secret, as `ENCRYPTION_KEY` gives it, and the keys derived from it. */
export interface MasterKey {
  /** Tells keys apart in sealed values and in the database, and says nothing about the key. */
  readonly id: string
  /** The database knows the key by this; the id is its beginning. */
  readonly digest: string
  /** Derives a 32-byte key in hex; the same purpose always gives the same key. */
  derive(purpose: string): string
  /** Derives a key of AES-256 for values of one plugin and purpose (HKDF, RFC 5869, with SHA-256). */
  sealingKey(plugin: string, purpose: string): Uint8Array
}

/** Holds the keys of a process: one that seals, and former ones that still open what they sealed. */
export interface KeyRing {
  readonly current: MasterKey
  readonly all: readonly MasterKey[]
  /** Maps an id to its key. */
  find(id: string): MasterKey | undefined
}

/** Sixteen hexadecimal digits are enough for the handful of keys that a deployment ever has. */
const ID_LENGTH = 16

export function masterKey(secret: string): MasterKey {
  const derive = (purpose: string) => createHmac('sha256', secret).update(`mneme:${purpose}`).digest('hex')
  const digest = derive('encryption-key-check')
  return {
    id: digest.slice(0, ID_LENGTH),
    digest,
    derive,
    sealingKey(plugin, purpose) {
      // JSON keeps `a` and `bc` apart from `ab` and `c`.
      const info = JSON.stringify(['mneme:seal', plugin, purpose])
      return new Uint8Array(hkdfSync('sha256', secret, '', info, 32))
    },
  }
}

/** @param previous former secrets; the current one among them counts once */
export function createKeyRing(current: string, previous: readonly string[] = []): KeyRing {
  const all = [...new Set([current, ...previous])].map(masterKey)
  const byId = new Map(all.map(key => [key.id, key]))
  return { current: masterKey(current), all, find: id => byId.get(id) }
}
