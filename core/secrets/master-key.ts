import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Reads the embedded deployment's master secret, which the first start makes and only its owner can read. */
export async function loadOrMakeMasterKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'encryption.key')
  await mkdir(dataDir, { recursive: true })
  const key = (await readIfThere(path))?.trim() ?? (await makeKey(path))
  if (key.length < 32)
    throw new Error(`${path} is damaged: it must hold at least 32 characters. Restore it from a backup.`)
  return key
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return undefined
    throw error
  }
}

/** The key is whole before it has its name: a start that dies or finds the disk full leaves none that is damaged. */
async function makeKey(path: string): Promise<string> {
  const made = `${path}.new`
  const key = randomBytes(32).toString('hex')
  await rm(made, { force: true })
  const file = await open(made, 'wx', 0o600)
  try {
    await file.writeFile(key)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(made, path)
  return key
}
