import { timingSafeEqual } from 'node:crypto'
import { systemClock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { TransactionTurns } from '../db/turns.ts'
import { fail } from '../errors.ts'
import { createLoadingCache } from '../loading-cache.ts'
import { BoundedCache } from '../resources/bounded-cache.ts'
import { hashKey, isKeyFormat, keyOf } from './api-key.ts'
import { ACCESS_TOKEN_PREFIX, type Caller, type FindConsent, type Role } from './caller.ts'
import type { ClientAddress } from './client-address.ts'
import { findKeys, type KeyRecord, writeLastUsed } from './control/keys.ts'
import { rolesOf } from './control/members.ts'
import { firstWorkspaceId } from './control/workspaces.ts'
import { assertSameOrigin } from './same-origin.ts'
import type { Sessions } from './sessions.ts'

/** A revocation on one server must hold on all within 5 s; the query takes the rest of that. */
const CACHE_MS = 4000
const KEYS_CACHED = 10_000
const MISSES_CACHED = 1_000
const MISSES_BYTES_MAX = 1024 * MISSES_CACHED
const ACCOUNTS_CACHED = 1_000

/** Drops cached callers after changes, so that these hold on this server at once; others follow within 5 s. */
export interface CallerCache {
  /** Makes the next use of a key, and of its tokens, read the database. */
  forgetKey(keyId: string): void
  /** Makes the next request with a session of the account look for its first workspace. */
  forgetAccount(accountId: string): void
}

export interface Authenticator extends CallerCache {
  /** Has access tokens recognised from now on. */
  recognise(find: FindConsent): void
  /** Tells who sent the request. Throws UNAUTHORIZED, FORBIDDEN (a forged cookie request), or SERVICE_UNAVAILABLE. */
  authenticate(request: Request): Promise<Caller>
  /** Writes when keys were last used; a chore calls it every half minute. */
  flush(): Promise<void>
}

export interface AuthenticatorOptions {
  database: Database
  sessions: Pick<Sessions, 'accountOf'>
  publicUrl?: string
  /** By what clients are told apart that try keys; all are one where it is left out. */
  clientAddress?: ClientAddress
  /** Milliseconds since 1970; tests replace the system clock with it. */
  now?: () => number
}

interface Loaded {
  readonly record: KeyRecord
  readonly caller: Caller
}

/** Recognises API keys and console sessions. A key in the header wins over a cookie, valid or not. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { database, sessions, publicUrl, clientAddress = () => '', now } = options
  const clock = now ? { now } : {}
  const lookUps = new KeyLookUps(database)
  const keys = createLoadingCache<Loaded>({
    name: 'auth.keys',
    max: KEYS_CACHED,
    ttlMs: CACHE_MS,
    ...clock,
    load: async (hash, address) => {
      const record = await lookUps.find(hash, address)
      return record && { record, caller: callerOf(record) }
    },
  })
  // Invalid keys have a cache of their own, so that a flood of made-up keys cannot push out those in use.
  const misses = new BoundedCache<true>({
    name: 'auth.unknown_keys',
    max: MISSES_CACHED,
    maxBytes: MISSES_BYTES_MAX,
    ttlMs: CACHE_MS,
  })
  const sessionCallers = createLoadingCache<Caller>({
    name: 'auth.session_callers',
    max: ACCOUNTS_CACHED,
    ttlMs: CACHE_MS,
    ...clock,
    load: async accountId => {
      const [own, roles] = await database.system(tx =>
        Promise.all([firstWorkspaceId(tx, accountId), rolesOf(tx, accountId)]),
      )
      const [first = roles.keys().next().value] = [own]
      return first === undefined ? undefined : sessionCaller(accountId, first, roles)
    },
  })
  let findConsent: FindConsent | undefined
  let used = new Map<string, Date>()

  async function byKey(key: string, request: Request): Promise<Caller> {
    if (!isKeyFormat(key)) throw fail('UNAUTHORIZED')
    const hash = hashKey(key)
    const id = hash.toString('hex')
    if (misses.has(id)) throw fail('UNAUTHORIZED')
    // To tell the address of a client costs as much as everything else here.
    const found = keys.known(id) ?? (await keys.get(id, clientAddress(request)))
    if (!found) {
      misses.set(id, true)
      throw fail('UNAUTHORIZED')
    }
    if (!timingSafeEqual(hash, found.record.hash)) throw fail('UNAUTHORIZED')
    const usedAt = new Date(now?.() ?? Date.now())
    if (found.record.expiresAt && found.record.expiresAt <= usedAt) {
      throw fail('UNAUTHORIZED', { message: 'This API key has expired.' })
    }
    used.set(found.record.id, usedAt)
    return found.caller
  }

  async function bySession(request: Request): Promise<Caller> {
    const account = await sessions.accountOf(request)
    if (!account) throw fail('UNAUTHORIZED')
    assertSameOrigin(request, publicUrl)
    const caller = await sessionCallers.get(account.accountId)
    if (!caller) throw fail('UNAUTHORIZED', { message: 'This account has no workspace.' })
    return caller
  }

  async function byAccessToken(token: string, request: Request): Promise<Caller> {
    const consent = await findConsent?.(token, request)
    const account = consent && (await sessionCallers.get(consent.accountId))
    if (!consent || !account)
      throw fail('UNAUTHORIZED', { message: 'This access token is not valid here, or not any more.' })
    const { id, permissions, workspaceId, subject } = consent
    return {
      ...account,
      kind: 'key',
      id,
      workspaceId,
      permissions: new Set(permissions),
      ...(subject ? { subject } : {}),
    }
  }

  return {
    authenticate(request) {
      const key = keyOf(request)
      if (key === null) return bySession(request)
      return key.startsWith(ACCESS_TOKEN_PREFIX) ? byAccessToken(key, request) : byKey(key, request)
    },
    recognise(find) {
      findConsent = find
    },
    forgetKey(keyId) {
      keys.forgetWhere(({ record }) => record.id === keyId || record.parentId === keyId)
    },
    forgetAccount(accountId) {
      sessionCallers.forget(accountId)
    },
    async flush() {
      if (used.size === 0) return
      const batch = used
      used = new Map()
      try {
        await database.system(tx => writeLastUsed(tx, batch))
      } catch (error) {
        // The times of the failed write wait for the next one, unless the key was used again meanwhile.
        used = new Map([...batch, ...used])
        throw error
      }
    },
  }
}

function callerOf(record: KeyRecord): Caller {
  return {
    kind: 'key',
    id: record.id,
    accountId: record.accountId,
    mode: record.mode,
    permissions: record.allPermissions ? 'all' : new Set(record.permissions),
    workspaceId: record.mode === 'test' ? record.twinId : record.workspaceId,
    grantedWorkspaceIds: new Set([record.workspaceId, ...record.workspaceIds]),
    ...(record.subject ? { subject: record.subject } : {}),
  }
}

function sessionCaller(accountId: string, workspaceId: string, roles: ReadonlyMap<string, Role>): Caller {
  const id = `session:${accountId}`
  return { kind: 'session', id, accountId, mode: 'live', permissions: 'all', workspaceId, roles }
}

/** Look-ups of all addresses take turns at the database, and each has one at a time. */
const TURNS = { total: 4, perWorkspace: 1, waitMs: 10_000 }

/** One statement looks so many keys up. */
const TOGETHER_MAX = 200

type Waiting = Map<string, PromiseWithResolvers<KeyRecord | undefined>>

/**
 * Looks keys up in the database, made-up ones as well. What an address asks for while a statement of it runs is looked up by the next one, so
 * that a client that tries thousands neither delays other addresses nor, by more than some statements, a valid key of its own.
 */
export class KeyLookUps {
  readonly #turns = new TransactionTurns(TURNS, systemClock)
  /** Addresses with a statement under way, and what waits for their next one. */
  readonly #lanes = new Map<string, Waiting>()

  constructor(readonly database: Pick<Database, 'system'>) {}

  /**
   * Finds the key with this SHA-256, unless it is revoked or its workspace is gone. Throws SERVICE_UNAVAILABLE.
   * @param hash in hex
   */
  find(hash: string, address: string): Promise<KeyRecord | undefined> {
    const lane = this.#lanes.get(address)
    const waiting: Waiting = lane ?? new Map()
    const asked = waiting.get(hash) ?? Promise.withResolvers<KeyRecord | undefined>()
    waiting.set(hash, asked)
    if (!lane) {
      this.#lanes.set(address, waiting)
      void this.#serve(address, waiting)
    }
    return asked.promise
  }

  async #serve(address: string, waiting: Waiting): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting.entries().take(TOGETHER_MAX)]
      for (const [hash] of asked) waiting.delete(hash)
      try {
        const hashes = asked.map(([hash]) => hash)
        const found = await this.#turns.run(address, true, () => this.database.system(tx => findKeys(tx, hashes)))
        const records = new Map(found.map(record => [Buffer.from(record.hash).toString('hex'), record]))
        for (const [hash, { resolve }] of asked) resolve(records.get(hash))
      } catch (error) {
        for (const [, { reject }] of asked) reject(error)
      }
    }
    this.#lanes.delete(address)
  }
}
