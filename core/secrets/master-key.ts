import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

export function masterKeyPath(dataDir: string): string {
  return join(dataDir, 'encryption.key')
}

/** Reads the embedded deployment's master secret, which only its owner can read; undefined where there is none. */
export async function readMasterKey(dataDir: string): Promise<string | undefined> {
  const path = masterKeyPath(dataDir)
  const key = (await readIfThere(path))?.trim()
  if (key !== undefined && key.length < 32)
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
export async function makeMasterKey(dataDir: string): Promise<string> {
  const path = masterKeyPath(dataDir)
  await mkdir(dataDir, { recursive: true })
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
