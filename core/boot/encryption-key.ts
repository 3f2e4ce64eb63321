import { type CoreConfig, formerKeys } from '../config.ts'
import type { Database } from '../db/database.ts'
import { hasKeys, registerKey } from '../secrets/key-registry.ts'
import { createKeyRing, type KeyRing } from '../secrets/key-ring.ts'
import { makeMasterKey, masterKeyPath, readMasterKey } from '../secrets/master-key.ts'
import { StartError } from './explain.ts'

type KeySettings = Pick<CoreConfig, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEY_PREVIOUS' | 'DATA_DIR'>

/**
 * Reads the deployment's keys from the settings or from DATA_DIR. A new key is accepted where the former ones are named
 * beside it, which is how a change is declared. Throws a StartError for any other key: what one key has sealed another
 * cannot open, and servers with different keys would not accept one another's sessions.
 */
export async function openKeyRing(config: KeySettings, database: Database): Promise<KeyRing> {
  const current = config.ENCRYPTION_KEY ?? (await keyIn(config.DATA_DIR, database))
  const ring = createKeyRing(current, formerKeys(config))
  const registration = await registerKey(database, ring)
  if (registration === 'registered') return ring
  if (registration === 'former-missing') {
    throw new StartError(
      'this database has values that a former key may have sealed, and ENCRYPTION_KEY_PREVIOUS does not name it. Name it there until `bun run server reseal` has ended.',
    )
  }
  const name = config.ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : masterKeyPath(config.DATA_DIR)
  throw new StartError(
    `${name} is not the key of this database. Use that one, or name it in ENCRYPTION_KEY_PREVIOUS to change the key: what it protects cannot be read with another.`,
  )
}

/** The first start makes the key. A database that has had one cannot be read with another, so none is made there. */
async function keyIn(dataDir: string, database: Database): Promise<string> {
  const key = await readMasterKey(dataDir)
  if (key !== undefined) return key
  if (!(await hasKeys(database))) return makeMasterKey(dataDir)
  throw new StartError(
    `${masterKeyPath(dataDir)} is missing, the key of this database. Put it back from the backup or folder that the database is from, or set ENCRYPTION_KEY to what it held: no other key opens the secrets in this database.`,
  )
}
