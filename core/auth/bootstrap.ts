import type { CoreConfig } from '../config.ts'
import type { Database, Tx } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { hashKey, randomText } from './api-key.ts'
import { firstAccountId, insertAccount } from './control/accounts.ts'
import { insertKey, isKnownHash } from './control/keys.ts'
import { firstWorkspaceId, insertWorkspace } from './control/workspaces.ts'
import { type HashCost, hashPassword } from './password.ts'
import { DEFAULT_PLAN } from './plans.ts'
import { MADE_PASSWORD_LENGTH } from './reset-password.ts'

/**
 * Holds what a first start generated. The start shows it once and never logs it; values given by settings are not
 * repeated.
 */
export interface FirstStart {
  readonly email: string
  /** Absent when ADMIN_PASSWORD gave it. */
  readonly password?: string
  /** Absent when BOOTSTRAP_API_KEY gave it. */
  readonly apiKey?: string
}

export interface BootstrapOptions {
  database: Database
  config: Pick<CoreConfig, 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'BOOTSTRAP_API_KEY'>
  log: Logger
  /** For tests, see {@link hashPassword}. */
  hashCost?: HashCost | undefined
}

const DEFAULT_EMAIL = 'admin@mneme.local'
const WORKSPACE_NAME = 'Default'
const KEY_NAME = 'Bootstrap key'

/** Serialises servers that start together on an empty database; the number is arbitrary but ours. */
const BOOTSTRAP_LOCK = 7_204_118_002

/**
 * Makes the account, its workspace and a key on the very first start, and returns what it generated.
 * On later starts it only adds a BOOTSTRAP_API_KEY that was never stored before, to the first account's first workspace, so
 * that an operator who lost every key gets in again. A revoked or rotated one does not come back, and ADMIN_EMAIL and
 * ADMIN_PASSWORD change nothing any more: a password is changed by its owner.
 */
export async function bootstrap(options: BootstrapOptions): Promise<FirstStart | undefined> {
  const { database, log, config } = options
  const accountId = await database.system(firstAccountId)
  if (accountId === undefined) {
    const first = await firstStart(options)
    if (first) return first
  }
  if (config.BOOTSTRAP_API_KEY) await addKey(database, config.BOOTSTRAP_API_KEY, log)
  return undefined
}

async function firstStart({ database, config, hashCost }: BootstrapOptions): Promise<FirstStart | undefined> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD, BOOTSTRAP_API_KEY } = config
  const email = (ADMIN_EMAIL ?? DEFAULT_EMAIL).toLowerCase()
  const password = ADMIN_PASSWORD ?? randomText(MADE_PASSWORD_LENGTH)
  // The password is hashed before the transaction, since everyone waits for the embedded database's one connection.
  const hash = await hashPassword(password, hashCost)
  return database.system(async tx => {
    await lock(tx)
    // Another server may have been faster while this one waited for the lock.
    if ((await firstAccountId(tx)) !== undefined) return undefined
    const accountId = await insertAccount(tx, email, hash)
    const workspace = await insertWorkspace(tx, { accountId, name: WORKSPACE_NAME, plan: DEFAULT_PLAN })
    const { key } = await insertBootstrapKey(tx, accountId, workspace.id, BOOTSTRAP_API_KEY)
    return {
      email,
      ...(ADMIN_PASSWORD ? {} : { password }),
      ...(BOOTSTRAP_API_KEY ? {} : { apiKey: key }),
    }
  })
}

async function addKey(database: Database, key: string, log: Logger): Promise<void> {
  const added = await database.system(async tx => {
    if (await isKnownHash(tx, hashKey(key))) return false
    await lock(tx)
    if (await isKnownHash(tx, hashKey(key))) return false
    const accountId = await firstAccountId(tx)
    const workspaceId = accountId && (await firstWorkspaceId(tx, accountId))
    if (!accountId || !workspaceId) return false
    await insertBootstrapKey(tx, accountId, workspaceId, key)
    return true
  })
  if (added) log.warn('BOOTSTRAP_API_KEY is new: it was added to the first workspace with every permission')
}

function insertBootstrapKey(tx: Tx, accountId: string, workspaceId: string, key: string | undefined) {
  return insertKey(tx, {
    accountId,
    workspaceId,
    name: KEY_NAME,
    mode: 'live',
    permissions: [],
    allPermissions: true,
    ...(key ? { key } : {}),
  })
}

async function lock(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK}::bigint)`
}
