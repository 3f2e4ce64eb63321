import { beforeEach, describe, expect, test } from 'bun:test'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { oncePerRun } from '../../test/support/closing.ts'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl, temporaryFolder } from '../../test/support/database.ts'
import type { Database } from '../db/database.ts'
import { isCurrent, retireFormerKeys } from '../secrets/key-registry.ts'
import { createKeyRing } from '../secrets/key-ring.ts'
import { openKeyRing } from './encryption-key.ts'

const [first, second, third] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)]
let database: Database

beforeEach(async () => {
  const plane = await oncePerRun('encryption-key', async () => openControlPlane(await ownDatabaseUrl()))
  database = plane.storage.database
  await database.system(tx => tx`delete from core.encryption_key`)
})

const open = (key: string, ...previous: string[]) =>
  openKeyRing(
    {
      DATA_DIR: '',
      ENCRYPTION_KEY: key,
      ...(previous.length > 0 ? { ENCRYPTION_KEY_PREVIOUS: previous.join(', ') } : {}),
    },
    database,
  )
const refusal = async (key: string, ...previous: string[]) => (await failure(open(key, ...previous)))?.message
const UNDECLARED =
  'ENCRYPTION_KEY is not the key of this database. Use that one, or name it in ENCRYPTION_KEY_PREVIOUS to change the key: what it protects cannot be read with another.'

describe('a database is opened', () => {
  test('with the key it was first started with, by any number of servers at once', async () => {
    const rings = await Promise.all([open(first), open(first), open(first)])
    expect(rings.map(({ current }) => current.id)).toEqual(Array(3).fill(createKeyRing(first).current.id))
    expect(await open(first)).toMatchObject({ all: [{ digest: createKeyRing(first).current.digest }] })
    const kept = await database.system(tx => tx<{ digest: string }[]>`select digest from core.encryption_key`)
    expect(kept).toHaveLength(1)
    expect(kept[0]?.digest).not.toContain('aaaa')
  })

  test('with no other key, unless it is declared as a change', async () => {
    await open(first)
    expect(await refusal(second)).toBe(UNDECLARED)
    expect(await refusal(second, third)).toBe(UNDECLARED)
    await open(second, first)
    // Both keys seal now, so neither may be missing from a process that starts.
    expect(await refusal(first)).toContain('does not name it')
    expect(await refusal(second)).toBe(
      'this database has values that a former key may have sealed, and ENCRYPTION_KEY_PREVIOUS does not name it. Name it there until `bun run server reseal` has ended.',
    )
    await open(first, second)
    expect(await refusal(third)).toBe(UNDECLARED)
  })

  test('with a former key that has commas, which stands alone', async () => {
    const former = `${first},b, ${second} `
    await open(former)
    const ring = await open(third, former)
    expect(ring.find(createKeyRing(former).current.id)).toBeDefined()
  })

  test('by the first of two servers with different keys that start at once, and not by both', async () => {
    const outcomes = await Promise.all([refusal(first), refusal(second)])
    expect(outcomes.filter(message => message === undefined)).toHaveLength(1)
    expect(outcomes.filter(message => message === UNDECLARED)).toHaveLength(1)
  })

  test('with the new key alone once the former one is retired, and never with that again', async () => {
    await open(first)
    const ring = await open(second, first)
    expect(await retireFormerKeys(database, ring)).toEqual([createKeyRing(first).current.id])
    await open(second)
    expect(await refusal(first)).toBe(UNDECLARED)
    expect([await isCurrent(database, ring), await isCurrent(database, createKeyRing(first))]).toEqual([true, false])
  })

  test('with the key in its folder where no setting has one', async () => {
    const DATA_DIR = await temporaryFolder()
    const path = join(DATA_DIR, 'encryption.key')
    await openKeyRing({ DATA_DIR }, database)
    const made = await readFile(path, 'utf8')
    await writeFile(path, first)
    expect((await failure(openKeyRing({ DATA_DIR }, database)))?.message).toStartWith(`${path} is not the key`)

    // It was left behind when the folder was copied: no other is made in its place, whoever opens the database.
    await rm(path)
    const missing = await failure(openKeyRing({ DATA_DIR }, database))
    expect(missing?.message).toStartWith(`${path} is missing, the key of this database. Put it back`)
    expect((await failure(openKeyRing({ DATA_DIR: join(DATA_DIR, 'elsewhere') }, database)))?.message).toContain(
      'is missing',
    )
    expect(await readdir(DATA_DIR)).toEqual([])
    await openKeyRing({ DATA_DIR, ENCRYPTION_KEY: made }, database)
    await writeFile(path, made)
    await openKeyRing({ DATA_DIR }, database)
  })
})
