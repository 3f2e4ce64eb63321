import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../test/support/service.ts'
import type { Tx } from './database.ts'
import { inStatementTime } from './statement-time.ts'

/** Counts pairs of numbers by a condition that costs next to nothing, and there may be very many. */
const counting = (upTo: number) => async (tx: Tx) => {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count
    from generate_series(1, ${upTo}::integer) as a (n)
    cross join generate_series(1, ${upTo}::integer) as b (n)
    where ${inStatementTime(tx, tx`(a.n + b.n) % 2 = 0`)}`
  return row?.count
}

/** Pairs of them take a minute and more. */
const MANY = 20_000

test('a statement ends when its time is over, on the embedded database too', async () => {
  const { database } = await service()
  const endless = database.workspace(randomUUID(), counting(MANY), { statementMs: 100 })
  expect(await endless.catch(({ code, retryAfterSeconds }) => [code, retryAfterSeconds])).toEqual([
    'SERVICE_UNAVAILABLE',
    10,
  ])
  const ofSystem = database.system(counting(MANY), { statementMs: 100 })
  expect(await ofSystem.catch(({ code }) => code)).toBe('SERVICE_UNAVAILABLE')
})

test('a statement in time is as it would be, and so is one without a limit', async () => {
  const { database } = await service()
  expect(await database.workspace(randomUUID(), counting(30), { statementMs: 30_000 })).toBe(450)
  expect(await database.workspace(randomUUID(), counting(30))).toBe(450)
})

test('the time of a statement begins with it, however long its transaction is open', async () => {
  const { database } = await service()
  const counted = database.workspace(
    randomUUID(),
    async tx => {
      const begun = performance.now()
      while (performance.now() - begun < 250) await tx`select 1`
      return counting(10)(tx)
    },
    { statementMs: 200 },
  )
  expect(await counted).toBe(50)
})
