import { expect, test } from 'bun:test'
import { migrate, readMigrations } from '../../../core/db/migrate.ts'
import type { Json } from '../../../test/support/client.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'
import { dayOf, daysAgo } from '../world.test-support.ts'

const OWNER = 'dashboard'
const SQL = new URL('../sql/', import.meta.url)

test('figures that were kept by the hour are kept by the day, also those that the logs no longer have', async () => {
  const url = await ownDatabaseUrl()
  const { database, account } = await startService({ WORKERS: 'none' }, { url })
  const { client, workspaceId } = await account()
  const [first] = await readMigrations(OWNER, SQL)
  if (!first) throw new Error('there is no first migration')
  await database.system(async tx => {
    await tx.unsafe(`drop schema ${OWNER} cascade`)
    await tx`delete from core.migration where owner = ${OWNER}`
  })
  await migrate(database, [OWNER], [first])
  const old = daysAgo(300)
  const at = (day: Date, time: string) => `${dayOf(day)}T${time}:00Z`
  await database.system(async tx => {
    await tx`
      insert into dashboard.hour (workspace_id, metric, hour, count, zero, scored, score_sum)
      values
        (${workspaceId}, 'memory.created', ${at(old, '03:00')}, 3, 0, 0, 0),
        (${workspaceId}, 'memory.created', ${at(old, '20:00')}, 4, 0, 0, 0),
        (${workspaceId}, 'searches', ${at(old, '20:00')}, 5, 1, 4, 2)`
    await tx`
      insert into dashboard.category_day (workspace_id, day, category, count)
      values (${workspaceId}, ${dayOf(old)}, 'garden', 7)`
    await tx`
      insert into dashboard.progress (workspace_id, rolled_to)
      values (${workspaceId}, date_trunc('hour', now()))`
    await tx`
      insert into core.usage (workspace_id, hour, metric, operation, input)
      values (${workspaceId}, ${at(old, '20:00')}, 'tokens', 'embedding', 9)`
  })
  await startService({ WORKERS: 'none' }, { url })
  const get = async (path: string, query: Record<string, string>): Promise<Json> =>
    (await client.get(`/v1/dashboard/${path}`, { query })).body
  const day = { start_date: dayOf(old), end_date: dayOf(old) }
  expect(await get('charts/memories', day)).toEqual([{ date: dayOf(old), count: 7 }])
  expect(await get('charts/memories', { ...day, timezone: 'America/Los_Angeles' })).toEqual([
    { date: dayOf(old), count: 4 },
  ])
  expect(await get('quality', day)).toEqual({
    avg_search_score: 0.5,
    zero_result_rate: 0.2,
    total_searches: 5,
    token_usage_by_operation: { embedding: { input: 9, output: 0 } },
  })
  expect((await get('categories', day)).categories).toEqual([{ name: 'garden', count: 7, pct: 100 }])
})
