import { expect, test } from 'bun:test'
import { plainArray } from 'mneme/plugin'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { idleService } from '../../../test/support/service.ts'
import { claimFor, openQueue } from '../delivering/queue.ts'
import { createWebhook } from '../world.test-support.ts'

/** A webhook whose deliveries a test adds and claims. */
async function webhook() {
  const { account: accountOf, database } = await idleService()
  const { client, workspaceId } = await accountOf()
  const { id: webhookId } = await createWebhook(client, 'http://93.184.216.34/hook')
  const queue = openQueue()
  /** Adds deliveries that have been due for so long, one a millisecond. */
  const add = (count: number, subject: (n: number) => string | null, since: string) => {
    const subjects = JSON.stringify(Array.from({ length: count }, (_, n) => ({ subject: subject(n) })))
    return database.workspace(
      workspaceId,
      tx => tx`
        insert into webhooks.delivery (
          workspace_id, id, webhook_id, payload_id, event, subject_id, status, round_started_at, created_at, due_at
        )
        select
          ${workspaceId}::uuid, gen_random_uuid(), ${webhookId}::uuid, gen_random_uuid(), 'memory.updated', new.subject,
          'PENDING', now(), stamped.at, stamped.at
        from rows from (jsonb_to_recordset(${subjects}::text::jsonb) as (subject text)) with ordinality as new (subject, n)
        cross join lateral (select now() - ${since}::interval + new.n * interval '1 millisecond' as at) as stamped`,
    )
  }
  /** Claims and finishes deliveries. @returns their subjects, and how many rows that read */
  const claim = (limit: number) =>
    database.workspace(workspaceId, async tx => {
      const before = await rowsRead(tx, 'webhooks', 'delivery')
      const claims = await claimFor(queue, tx, { workspaceId, webhookId, limit, resumedAt: null, now: undefined })
      const read = (await rowsRead(tx, 'webhooks', 'delivery')) - before
      const rows = await tx<{ subject_id: string | null }[]>`
        select delivery.subject_id
        from webhooks.delivery
        where delivery.workspace_id = ${workspaceId} and delivery.id = any(${plainArray(claims.map(({ id }) => id))}::uuid[])`
      await queue.finish(tx, claims)
      return { read, subjects: rows.map(row => row.subject_id).toSorted() }
    })
  return { add, claim, database, workspaceId }
}

test('a claim reads few deliveries, however many of one subject wait', async () => {
  const { add, claim, database } = await webhook()
  await add(3000, () => 'hot', '1 hour')
  // Without statistics, which autovacuum brings within a minute, an index is chosen by chance.
  await database.system(tx => tx`analyze webhooks.delivery`)
  for (let n = 0; n < 3; n++) {
    const { read, subjects } = await claim(12)
    expect(subjects).toEqual(['hot'])
    expect(read).toBeLessThan(1000)
  }
})

test('a claim finds what is about others, and about nothing, behind many of one subject', async () => {
  const { add, claim } = await webhook()
  await add(300, () => 'hot', '1 hour')
  await add(4, n => `other ${n % 2}`, '1 minute')
  await add(2, () => null, '1 minute')
  expect((await claim(12)).subjects).toEqual(['hot', null, null, 'other 0', 'other 1'])
  expect((await claim(12)).subjects).toEqual(['hot', 'other 0', 'other 1'])
  expect((await claim(12)).subjects).toEqual(['hot'])
})

test('a claim takes the oldest of many subjects', async () => {
  const { add, claim } = await webhook()
  await add(150, n => `new ${n}`, '1 minute')
  await add(3, n => `old ${n}`, '1 hour')
  expect((await claim(3)).subjects).toEqual(['old 0', 'old 1', 'old 2'])
})

test('deliveries whose round is over hold up neither later ones of their subject nor those of others', async () => {
  const { add, claim, database, workspaceId } = await webhook()
  await add(150, n => `memory ${n}`, '1 hour')
  await database.workspace(
    workspaceId,
    tx => tx`
      update webhooks.delivery set attempts_made = 1, round_started_at = now() - interval '25 hours'
      where workspace_id = ${workspaceId}`,
  )
  await add(1, () => 'memory 7', '1 minute')
  await add(1, () => 'other', '1 minute')
  expect((await claim(12)).subjects).toEqual(['memory 7', 'other'])
})
