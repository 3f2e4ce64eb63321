import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { type TlsFront, tlsFront } from '../../test/support/tls-front.ts'
import { createLog } from '../log.ts'
import { openDatabase } from './database.ts'
import { openPgPool } from './pool.ts'

const authority = fileURLToPath(new URL('../../test/fixtures/certificates/authority.pem', import.meta.url))
const root = `sslrootcert=${encodeURIComponent(authority)}`

/** One has a certificate for its name, the other for another name; both are of the same authority. */
const fronts: Record<string, TlsFront> = {}

beforeAll(async () => {
  const { url } = (await controlPlane()).storage
  fronts.own = await tlsFront(url, 'loopback')
  fronts.foreign = await tlsFront(url, 'server')
})

afterAll(() => Promise.all(Object.values(fronts).map(front => front.close())))

/** Tells what both drivers make of an address: whether each of them is let in. */
async function outcomes(front: 'own' | 'foreign', parameters: string): Promise<boolean[]> {
  const url = `${fronts[front]?.url}?${parameters}`
  const [database, pool] = [openDatabase({ url, poolSize: 1 }), openPgPool(url, 1, createLog('silent'))]
  const failures = [await failure(database.system(tx => tx`select 1`)), await failure(pool.query('select 1'))]
  await Promise.all([database.close(), pool.end()])
  return failures.map(error => error === undefined)
}

describe('a database that takes nothing but TLS is reached by both drivers or by none', () => {
  test.each([
    ['own', 'sslmode=require'],
    ['own', 'sslmode=require&channel_binding=require'],
    ['own', 'sslmode=no-verify'],
    ['own', `sslmode=verify-full&${root}`],
    ['foreign', 'sslmode=require'],
    ['foreign', `sslmode=verify-ca&${root}`],
    ['foreign', `sslmode=require&${root}`],
  ] as const)('by both, with the %s name in its certificate: %s', async (front, parameters) => {
    expect(await outcomes(front, parameters)).toEqual([true, true])
  })

  test.each([
    ['own', ''],
    ['own', 'sslmode=disable'],
    ['own', 'sslmode=verify-full'],
    ['own', 'ssl=true'],
    ['foreign', `sslmode=verify-full&${root}`],
    ['foreign', root],
  ] as const)('by none, with the %s name in its certificate: %s', async (front, parameters) => {
    expect(await outcomes(front, parameters)).toEqual([false, false])
  })
})
