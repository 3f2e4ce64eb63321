import { expect, test } from 'bun:test'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { hashKey } from './api-key.ts'
import { KeyLookUps } from './authenticate.ts'

const hashOf = (key: string) => hashKey(key).toString('hex')

test('what an address asks for while a statement of it runs is looked up together, the valid among the made up', async () => {
  const plane = await controlPlane()
  const { accountId, workspaceId } = await plane.account()
  const { id, key } = await plane.key({ accountId, workspaceId })
  const { database } = plane.storage
  let statements = 0
  const lookUps = new KeyLookUps({
    system: (work, options) => {
      statements++
      return database.system(work, options)
    },
  })
  const madeUp = Array.from({ length: 1000 }, (_, n) => lookUps.find(hashOf(`mn_live_${n}`), 'flood'))
  const [valid, twice] = [lookUps.find(hashOf(key), 'flood'), lookUps.find(hashOf(key), 'flood')]
  const elsewhere = lookUps.find(hashOf(key), 'home')
  expect([(await valid)?.id, (await twice)?.id, (await elsewhere)?.id]).toEqual([id, id, id])
  expect(new Set(await Promise.all(madeUp))).toEqual(new Set([undefined]))
  expect(statements).toBeLessThanOrEqual(8)
})

test('a statement that fails fails those who wait for it alone', async () => {
  let fails = true
  const lookUps = new KeyLookUps({
    system: async () => {
      if (fails) throw new Error('away')
      return [] as never
    },
  })
  expect(await failure(lookUps.find('aa', 'here'))).toMatchObject({ message: 'away' })
  fails = false
  expect(await lookUps.find('aa', 'here')).toBeUndefined()
})
