import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing, MasterKey } from './key-ring.ts'
import { SecretError } from './secrets.ts'

/**
 * A sealed value is bound to this: none of it stands in the value, and all of it has to be the same when it is opened.
 */
export interface Binding {
  readonly plugin: string
  readonly purpose: string
  /** Names and values of the key columns, in the order of the declaration. */
  readonly row: readonly (readonly [name: string, value: string])[]
}

/** The version of the format, for the day on which there is another. */
const VERSION = 's1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Secrets are short; longer values are data, and belong elsewhere. */
export const PLAINTEXT_CHARACTERS_MAX = 65_536

/** `s1.<key id>.<base64url of nonce, ciphertext and tag>`. */
const SEALED = /^s1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{38,})$/

/** Matches the beginning of every sealed value, as a regular expression of Postgres. */
export const SEALED_BEGINNING = '^s1\\.[0-9a-f]{16}\\.'

/** Returns the beginning of values that are sealed under the key. */
export function sealedPrefix(key: MasterKey): string {
  return `${VERSION}.${key.id}.`
}

/**
 * Uses AES-256-GCM with a random nonce, which is safe for 2^32 values a key (NIST SP 800-38D, 8.3); every plugin and
 * purpose has its own.
 */
export function seal(key: MasterKey, plaintext: string, binding: Binding): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.sealingKey(binding.plugin, binding.purpose), nonce)
  cipher.setAAD(associatedData(key, binding))
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  return `${sealedPrefix(key)}${Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]).toString('base64url')}`
}

/** @throws SecretError MALFORMED, UNKNOWN_KEY, NOT_AUTHENTIC */
export function open(ring: KeyRing, sealed: string, binding: Binding): string {
  const what = `plugin ${binding.plugin}: a value for ${binding.purpose}`
  const [, id = '', content = ''] = SEALED.exec(sealed) ?? []
  if (id === '') throw new SecretError('MALFORMED', `${what} is not a sealed one`)
  const key = ring.find(id)
  if (!key) {
    throw new SecretError(
      'UNKNOWN_KEY',
      `${what} is sealed under the key ${id}, which is neither ENCRYPTION_KEY nor in ENCRYPTION_KEY_PREVIOUS`,
    )
  }
  const bytes = Buffer.from(content, 'base64url')
  // Letters that decode to nothing, or to the same bytes, would be a second spelling of the value.
  if (bytes.toString('base64url') !== content) throw new SecretError('MALFORMED', `${what} is not a sealed one`)
  try {
    return decrypt(key, bytes, binding)
  } catch (error) {
    throw new SecretError('NOT_AUTHENTIC', `${what} was changed, or belongs to another row`, { cause: error })
  }
}

function decrypt(key: MasterKey, bytes: Buffer, binding: Binding): string {
  const end = bytes.length - TAG_BYTES
  const secret = key.sealingKey(binding.plugin, binding.purpose)
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES), options)
  decipher.setAAD(associatedData(key, binding))
  decipher.setAuthTag(bytes.subarray(end))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString('utf8')
}

/** JSON keeps names and values apart whatever they hold. */
function associatedData(key: MasterKey, { plugin, purpose, row }: Binding): Buffer {
  return Buffer.from(JSON.stringify([VERSION, key.id, plugin, purpose, row]), 'utf8')
}
