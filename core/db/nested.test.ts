import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../test/support/service.ts'

test('the test kit fails a transaction that begins within another, at any depth, and none that begins after it', async () => {
  const { database } = await service()
  const inner = () => database.workspace(randomUUID(), tx => tx`select 1`)
  const nested = database.system(async tx => {
    await tx`select 1`
    await inner()
  })
  await expect(nested).rejects.toThrow('a transaction began within the work of another')
  let later: Promise<unknown> | undefined
  const gate = Promise.withResolvers<void>()
  await database.system(async () => {
    later = gate.promise.then(inner)
  })
  gate.resolve()
  expect(await later).toHaveLength(1)
})
