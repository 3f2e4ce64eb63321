import { expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets, loadOrMakeMasterKey } from './secrets.ts'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-secrets-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('each purpose has a key of its own, the same at every start', () => {
  const secrets = createSecrets('m'.repeat(32))
  expect(secrets.derive('sessions')).toMatch(/^[0-9a-f]{64}$/)
  expect(secrets.derive('sessions')).toBe(createSecrets('m'.repeat(32)).derive('sessions'))
  expect(secrets.derive('sessions')).not.toBe(secrets.derive('webhooks'))
  expect(secrets.derive('sessions')).not.toBe(createSecrets('n'.repeat(32)).derive('sessions'))
})

test('the master key is made once, readable by its owner only', () =>
  inFolder(async folder => {
    const dataDir = join(folder, 'deep', 'data')
    const made = await loadOrMakeMasterKey(dataDir)
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(await loadOrMakeMasterKey(dataDir)).toBe(made)
    expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600)
  }))

test('a damaged master key is refused, never replaced', () =>
  inFolder(async folder => {
    await writeFile(join(folder, 'encryption.key'), 'short')
    await expect(loadOrMakeMasterKey(folder)).rejects.toThrow('encryption.key is damaged')
    expect(await readFile(join(folder, 'encryption.key'), 'utf8')).toBe('short')
  }))
