import { randomUUID } from 'node:crypto'
import type { Subject, Workspace } from '../../core/auth/caller.ts'
import { insertAccount } from '../../core/auth/control/accounts.ts'
import { insertKey } from '../../core/auth/control/keys.ts'
import { insertWorkspace } from '../../core/auth/control/workspaces.ts'
import { type HashCost, hashPassword } from '../../core/auth/password.ts'
import { type Database, openDatabase } from '../../core/db/database.ts'
import type { Client } from './client.ts'

/** Accounts of tests have this. */
export const PASSWORD = 'correct horse battery staple'

export const ENCRYPTION_KEY = 'a-key-for-tests-only-0123456789abcdef'

export interface TestAccount {
  readonly accountId: string
  readonly email: string
  readonly password: string
  readonly workspaceId: string
  readonly workspaceIds: readonly string[]
  /** A client with a key of the first workspace that may do everything. */
  readonly client: Client
  /** A client with a key of its own. */
  key(options?: KeyOptions): Promise<Client>
  /** A client with a console session. */
  signIn(): Promise<Client>
}

export interface KeyOptions {
  readonly permissions?: readonly string[]
  readonly mode?: 'live' | 'test'
  readonly workspaceId?: string
  readonly workspaceIds?: readonly string[]
  readonly expiresAt?: Date
  /** Binds the key to this user, with the permissions that such a key may have at most. */
  readonly subject?: Subject
}

export interface AccountOptions {
  plan?: Workspace['plan']
  workspaces?: number
}

/** Makes accounts in a migrated database, for services that share {@link ENCRYPTION_KEY}; no endpoint makes any. */
export interface Accounts {
  readonly database: Database
  make(options?: AccountOptions): Promise<TestAccount>
  close(): Promise<void>
}

/** @param anonymous what the accounts' clients speak to */
export function openAccounts(url: string, anonymous: Client): Accounts {
  const database = openDatabase({ url, poolSize: 2 })
  return {
    database,
    async make({ plan = 'unlimited', workspaces = 1 } = {}) {
      const email = `${randomUUID()}@example.com`
      const hash = await passwordHash()
      const accountId = await database.system(tx => insertAccount(tx, email, hash))
      const workspaceIds = await database.system(async tx => {
        const made: string[] = []
        for (let n = 0; n < workspaces; n++)
          made.push((await insertWorkspace(tx, { accountId, name: `Test ${n + 1}`, plan })).id)
        return made
      })
      const workspaceId = workspaceIds[0] ?? ''
      const key = async (wanted: KeyOptions = {}) => {
        const made = await database.system(tx =>
          insertKey(tx, {
            accountId,
            workspaceId: wanted.workspaceId ?? workspaceId,
            name: 'test',
            mode: wanted.mode ?? 'live',
            permissions: wanted.permissions ?? [],
            allPermissions: wanted.permissions === undefined,
            workspaceIds: wanted.workspaceIds ?? [],
            expiresAt: wanted.expiresAt ?? null,
            subject: wanted.subject ?? null,
          }),
        )
        return anonymous.with({ 'x-api-key': made.key })
      }
      const signIn = () => anonymous.signIn(email, PASSWORD)
      return { accountId, email, password: PASSWORD, workspaceId, workspaceIds, client: await key(), key, signIn }
    },
    async close() {
      await database.close()
    },
  }
}

/** Hashing takes long on purpose, so these hashes are cheap ones: a password is checked with the cost that its hash names. */
export const CHEAP_HASH: HashCost = { N: 1024, r: 8, p: 1 }

export function passwordHash(): Promise<string> {
  return hashPassword(PASSWORD, CHEAP_HASH)
}
