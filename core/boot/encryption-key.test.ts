import { expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { temporaryFolder } from '../../test/support/database.ts'
import { openMasterKey } from './encryption-key.ts'

const [right, wrong] = ['r'.repeat(32), 'w'.repeat(32)]

test('a database is opened with the key it was first started with, and with no other', async () => {
  const { database } = (await controlPlane()).storage
  const dataDir = await temporaryFolder()
  const open = (ENCRYPTION_KEY?: string) =>
    openMasterKey({ DATA_DIR: dataDir, ...(ENCRYPTION_KEY ? { ENCRYPTION_KEY } : {}) }, database)
  // The run's database has a mark of its own, which has to be there again for the other tests.
  const marks = await database.system(
    tx => tx<{ digest: string }[]>`delete from core.encryption_key_check returning digest`,
  )
  try {
    const first = await Promise.all([open(right), open(right)])
    expect(first).toEqual([right, right])
    expect(await failure(open(wrong))).toMatchObject({
      name: 'StartError',
      message:
        'ENCRYPTION_KEY is not the key that this database was first started with. Use that one: what it protects cannot be read with another.',
    })
    expect(await open(right)).toBe(right)
    const path = join(dataDir, 'encryption.key')
    await writeFile(path, wrong)
    expect((await failure(open()))?.message).toStartWith(`${path} is not the key`)
    await writeFile(path, right)
    expect(await open()).toBe((await readFile(path, 'utf8')).trim())
    const [kept] = await database.system(tx => tx<{ digest: string }[]>`select digest from core.encryption_key_check`)
    expect(kept?.digest).not.toContain(right)
  } finally {
    await database.system(async tx => {
      await tx`delete from core.encryption_key_check`
      for (const { digest } of marks) await tx`insert into core.encryption_key_check (digest) values (${digest})`
    })
  }
})
