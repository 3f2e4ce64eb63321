import { join } from 'node:path'
import { type CoreConfig, formerKeys } from '../config.ts'
import type { Database } from '../db/database.ts'
import { registerKey } from '../secrets/key-registry.ts'
import { createKeyRing, type KeyRing } from '../secrets/key-ring.ts'
import { loadOrMakeMasterKey } from '../secrets/master-key.ts'
import { StartError } from './explain.ts'

type KeySettings = Pick<CoreConfig, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'DATA_DIR'>

/**
 * Reads the deployment's keys from the settings or from DATA_DIR. A new key is accepted where the former ones are named
 * beside it, which is how a change is declared. Throws a StartError for any other key: what one key has sealed another
 * cannot open, and servers with different keys would not accept one another's sessions.
 */
export async function openKeyRing(config: KeySettings, database: Database): Promise<KeyRing> {
  const current = config.ENCRYPTION_KEY ?? (await loadOrMakeMasterKey(config.DATA_DIR))
  const ring = createKeyRing(current, formerKeys(config))
  const registration = await registerKey(database, ring)
  if (registration === 'registered') return ring
  if (registration === 'former-missing') {
    throw new StartError(
      'this database has values that a former key may have sealed, and ENCRYPTION_KEY_PREVIOUS does not name it. Name it there until `bun run server reseal` has ended.',
    )
  }
  const name = config.ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : join(config.DATA_DIR, 'encryption.key')
  throw new StartError(
    `${name} is not the key of this database. Use that one, or name it in ENCRYPTION_KEY_PREVIOUS to change the key: what it protects cannot be read with another.`,
  )
}
