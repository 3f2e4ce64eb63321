import { expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMasterKey, readMasterKey } from './master-key.ts'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-secrets-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('the master key is readable by its owner only', () =>
  inFolder(async folder => {
    const dataDir = join(folder, 'deep', 'data')
    expect(await readMasterKey(dataDir)).toBeUndefined()
    const made = await makeMasterKey(dataDir)
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(await readMasterKey(dataDir)).toBe(made)
    expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600)
  }))

test('a start that died while it made the key leaves none, and the next one makes it', () =>
  inFolder(async folder => {
    await writeFile(join(folder, 'encryption.key.new'), '')
    const made = await makeMasterKey(folder)
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(await readFile(join(folder, 'encryption.key'), 'utf8')).toBe(made)
    expect(await readdir(folder)).toEqual(['encryption.key'])
  }))

test('a damaged master key is refused, never replaced', () =>
  inFolder(async folder => {
    await writeFile(join(folder, 'encryption.key'), 'short')
    await expect(readMasterKey(folder)).rejects.toThrow('encryption.key is damaged')
    expect(await readFile(join(folder, 'encryption.key'), 'utf8')).toBe('short')
  }))
