import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { insertKey, revokeKey } from './control/keys.ts'

const RACES = 1000
const WAVE = 50

const withKey = (key: string) => new Request('http://localhost/v1/memories', { headers: { 'x-api-key': key } })

test('a key that is used while it is revoked, a thousand times, works on no server five seconds later', async () => {
  const plane = await controlPlane()
  const { database } = plane.storage
  const { accountId, workspaceId } = await plane.account()
  const clock = { now: Date.now() }
  const [one, two] = [plane.server({ now: () => clock.now }), plane.server({ now: () => clock.now })]
  const isTaken = (server: typeof one, key: string) =>
    server.authenticator.authenticate(withKey(key)).then(
      () => true,
      () => false,
    )
  const keys = await database.system(async tx => {
    const made: { id: string; key: string }[] = []
    const given = { accountId, workspaceId, name: 'race', mode: 'live', permissions: ['memory.read'] } as const
    for (let n = 0; n < RACES; n++) made.push(await insertKey(tx, given))
    return made
  })
  const revoke = async (id: string) => {
    await database.system(tx => revokeKey(tx, id))
    one.authenticator.forgetKey(id)
  }
  let takenBefore = 0
  let takenAfterwards = 0
  for (let from = 0; from < RACES; from += WAVE) {
    const wave = keys.slice(from, from + WAVE)
    // Every other key is in memory when it is revoked; the rest are read from the database meanwhile.
    const known = wave.filter((_, n) => n % 2 === 0)
    const before = await Promise.all(known.flatMap(({ key }) => [isTaken(one, key), isTaken(two, key)]))
    takenBefore += before.filter(Boolean).length
    await Promise.all(
      wave.map(async ({ id, key }) => {
        await Promise.all([isTaken(one, key), isTaken(two, key), revoke(id), isTaken(two, key), isTaken(one, key)])
        if (await isTaken(one, key)) takenAfterwards++
      }),
    )
  }
  expect(takenBefore).toBeGreaterThan(0)
  expect(takenAfterwards).toBe(0)
  clock.now += 5000
  const late = await Promise.all(keys.flatMap(({ key }) => [isTaken(one, key), isTaken(two, key)]))
  expect(late.filter(Boolean)).toEqual([])
}, 180_000)
