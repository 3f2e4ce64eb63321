import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { dayOf, daysAgo, HOUR, world } from '../world.test-support.ts'
import { endedHour } from './roll-up.ts'

test('an hour is rolled up when the transactions have ended that began within it', () => {
  expect(endedHour(new Date('2026-03-01T10:00:30Z')).toISOString()).toBe('2026-03-01T09:00:00.000Z')
  expect(endedHour(new Date('2026-03-01T10:01:00Z')).toISOString()).toBe('2026-03-01T10:00:00.000Z')
})

describe('figures of yesterday stay when it is rolled up again', () => {
  const midnight = new Date(`${dayOf(new Date())}T00:00:00Z`).getTime()
  const yesterday = { start_date: dayOf(daysAgo(1)), end_date: dayOf(daysAgo(1)) }
  const again = ({ database, workspaceId }: Awaited<ReturnType<typeof world>>) =>
    database.system(
      tx => tx`
        update dashboard.progress set rolled_to = ${new Date(midnight - HOUR)} where workspace_id = ${workspaceId}`,
    )

  test('where searches of its first hours are purged', async () => {
    const own = await world()
    const { search, get, database, workspaceId } = own
    for (const hours of [1, 23]) await search('tea', new Date(midnight - hours * HOUR), 0.8)
    await search('cake', new Date(midnight - 23.5 * HOUR), null)
    const figures = async () => {
      const { total_searches: searches, zero_result_rate: rate } = await get('quality', yesterday)
      const { data } = await get('top-queries', yesterday)
      return [searches, rate, data.find(({ query }: Json) => query === 'tea')?.count]
    }
    expect(await figures()).toEqual([3, 0.3333, 2])
    await database.system(
      tx => tx`
        delete from search.query_log
        where workspace_id = ${workspaceId} and created_at < ${new Date(midnight - 12 * HOUR)}`,
    )
    await again(own)
    expect(await figures()).toEqual([3, 0.3333, 2])
    expect((await get('top-queries', yesterday)).total).toBe(2)
  })

  test('where its memories are deleted after retention_days, but follow them where these are kept', async () => {
    const own = await world()
    const { client, get, event, database, workspaceId } = own
    // The logs begin yesterday, so that yesterday is rolled up at the first look at any time of day.
    await event('memory.created', new Date(midnight - 23 * HOUR))
    const total = async () => (await get('categories', yesterday)).total
    const move = (text: string) =>
      database.system(
        tx => tx`
          update memories.memory set created_at = ${new Date(midnight - 23 * HOUR)}
          where workspace_id = ${workspaceId} and text = ${text}`,
      )
    const { body } = await client.post('/v1/memories', { memory: 'The fair opens in May.', categories: ['fair'] })
    await move('The fair opens in May.')
    expect(await total()).toBe(1)
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { retention_days: 1 } })
    await client.delete(`/v1/memories/${body.id}`)
    await again(own)
    expect(await total()).toBe(1)
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { retention_days: null } })
    await again(own)
    expect(await total()).toBe(0)
  })
})
