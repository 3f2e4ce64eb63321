import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads the embedded deployment's master secret, which the first start makes and only its owner can read. */
export async function loadOrMakeMasterKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true })
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      const key = randomBytes(32).toString('hex')
      await file.writeFile(key)
      await file.sync()
      return key
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'EEXIST') throw error
  }
  const key = (await readFile(path, 'utf8')).trim()
  if (key.length < 32)
    throw new Error(`${path} is damaged: it must hold at least 32 characters. Restore it from a backup.`)
  return key
}
