import { join } from 'node:path'
import type { CoreConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { createSecrets, loadOrMakeMasterKey } from '../secrets.ts'
import { StartError } from './explain.ts'

/**
 * The deployment's master secret, from the settings or from DATA_DIR. Throws a StartError when the database was first started
 * with another one: what one key has made another cannot read, and servers with different keys would not take one another's
 * sessions. The first start leaves the mark that later ones are held to.
 */
export async function openMasterKey(
  config: Pick<CoreConfig, 'ENCRYPTION_KEY' | 'DATA_DIR'>,
  database: Database,
): Promise<string> {
  const key = config.ENCRYPTION_KEY ?? (await loadOrMakeMasterKey(config.DATA_DIR))
  if (await isKeyOf(database, key)) return key
  const name = config.ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : join(config.DATA_DIR, 'encryption.key')
  throw new StartError(
    `${name} is not the key that this database was first started with. Use that one: what it protects cannot be read with another.`,
  )
}

async function isKeyOf(database: Database, key: string): Promise<boolean> {
  const digest = createSecrets(key).derive('encryption-key-check')
  return database.system(async tx => {
    await tx`insert into core.encryption_key_check (digest) values (${digest}) on conflict do nothing`
    const [first] = await tx<{ digest: string }[]>`select digest from core.encryption_key_check`
    return first?.digest === digest
  })
}
