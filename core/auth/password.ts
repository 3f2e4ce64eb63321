import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { unicodeForm } from 'text-reader'

/** An account's password may have so many code points. */
export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 128

/**
 * N 2^15, r 8, p 3 is one of OWASP's equivalent settings for scrypt (32 MB a hash), see
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
 */
const COST = { N: 32_768, r: 8, p: 3 }

export type HashCost = typeof COST
const KEY_BYTES = 32
const SALT_BYTES = 16

/**
 * A salted scrypt hash with its settings: `scrypt$N$r$p$salt$key`, the last two in base64.
 * @param cost lower only in tests, where most of the time would go into hashes
 */
export async function hashPassword(password: string, cost: HashCost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const key = await derive(password, salt, KEY_BYTES, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$')
}

/**
 * Tells whether a password has this hash, in constant time for a given hash. A text that is no hash matches nothing.
 */
export async function matchesHash(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$')
  if (scheme !== 'scrypt' || !salt || !key) return false
  const expected = Buffer.from(key, 'base64')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await derive(password, Buffer.from(salt, 'base64'), expected.length, cost)
  return timingSafeEqual(actual, expected)
}

/** One password typed on two keyboards can be two sequences of code points; NFKC makes them one. */
function derive(password: string, salt: Buffer, length: number, cost: ScryptOptions): Promise<Buffer> {
  const options = { ...cost, maxmem: 128 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(unicodeForm(password, 'NFKC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
