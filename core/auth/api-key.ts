import { createHash, randomInt } from 'node:crypto'

export type KeyMode = 'live' | 'test'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 32 characters out of 62 hold 190 bits. */
const SECRET_LENGTH = 32

const FORMAT = /^mn_(live|test)_[0-9A-Za-z]{24,128}$/

/** Lists show the mode and four characters, enough to tell keys apart and useless to guess with. */
const PREFIX_LENGTH = 'mn_live_'.length + 4

/** Makes a key, e.g. `mn_live_` and 32 random characters of 0-9, A-Z and a-z. */
export function generateKey(mode: KeyMode): string {
  return `mn_${mode}_${randomText(SECRET_LENGTH)}`
}

/** Draws characters of 0-9, A-Z and a-z, each equally likely. */
export function randomText(length: number): string {
  // randomInt draws without the bias that a remainder of random bytes would have.
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Tells whether a text has the form of a key, which says nothing about whether the key exists. */
export function isKeyFormat(text: string): boolean {
  return FORMAT.test(text)
}

/** Other tokens of this header, such as that of /metrics, are no keys. */
const AUTHORIZATION = /^(?:Bearer|Token|Api-Key) +(mn_\S+)$/i

/** Returns the key that a request comes with: in `X-Api-Key`, or else in `Authorization` by a scheme of other services' clients. */
export function keyOf({ headers }: Pick<Request, 'headers'>): string | null {
  return headers.get('x-api-key') ?? AUTHORIZATION.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/** Returns the SHA-256 that is stored of a key. A slow hash would gain nothing, as nobody can try 190 bits. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest()
}

/** Returns the part of a key that lists show. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}
