import type { Database, Tx } from '../db/database.ts'
import type { KeyRing } from './key-ring.ts'

/**
 * Registers in the database the keys that its values may be sealed under, so that every process agrees: the current key
 * of each process that ever started, until a resealing retires it.
 */
interface RegisteredKey {
  readonly id: string
  readonly digest: string
}

/** Says what a process lacks to read everything: nothing, its own key's declaration, or former keys. */
export type Registration = 'registered' | 'undeclared' | 'former-missing'

/**
 * Enters the current key, unless the process lacks a key that is registered already: then it could not read what others
 * sealed, nor could they read what it seals. The first process on an empty database enters its own.
 */
export async function registerKey(database: Database, ring: KeyRing): Promise<Registration> {
  return database.system(async tx => {
    const known = await readKeys(tx)
    if (isRegistered(known, ring)) return missing(known, ring) ?? 'registered'
    // Two processes with different keys may start at once; the second one then sees the first one's key.
    await tx`lock table core.encryption_key in share row exclusive mode`
    const settled = await readKeys(tx)
    const lacking = missing(settled, ring)
    if (lacking) return lacking
    const { id, digest } = ring.current
    await tx`insert into core.encryption_key (id, digest) values (${id}, ${digest}) on conflict do nothing`
    return 'registered'
  })
}

/** Tells whether any process has ever entered a key. */
export async function hasKeys(database: Database): Promise<boolean> {
  return database.system(async tx => (await readKeys(tx)).length > 0)
}

/** Tells whether the current key of the process is still registered. */
export async function isCurrent(database: Database, ring: KeyRing): Promise<boolean> {
  return database.system(async tx => isRegistered(await readKeys(tx), ring))
}

/**
 * Removes every key but the current one.
 * @returns their ids
 */
export async function retireFormerKeys(database: Database, ring: KeyRing): Promise<string[]> {
  return database.system(async tx => {
    const retired = await tx<{ id: string }[]>`
      delete from core.encryption_key as key where key.id <> ${ring.current.id} returning key.id`
    return retired.map(({ id }) => id)
  })
}

async function readKeys(tx: Tx): Promise<readonly RegisteredKey[]> {
  return tx<RegisteredKey[]>`select key.id, key.digest from core.encryption_key as key`
}

function isRegistered(known: readonly RegisteredKey[], { current }: KeyRing): boolean {
  return known.some(({ digest }) => digest === current.digest)
}

function missing(known: readonly RegisteredKey[], ring: KeyRing): Exclude<Registration, 'registered'> | undefined {
  if (known.every(({ id, digest }) => ring.find(id)?.digest === digest)) return undefined
  return isRegistered(known, ring) ? 'former-missing' : 'undeclared'
}
