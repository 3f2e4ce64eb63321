import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { daysAgo, world } from '../world.test-support.ts'

describe('the activity feed', () => {
  test('is newest first, labelled, and filtered', async () => {
    const { event, get, client } = await world()
    await event('memory.created', daysAgo(2))
    await event('memory.processed', daysAgo(1))
    await event('memory.deleted', daysAgo(1), 'bob')
    const { data, total } = await get('activity', { event_type: 'memory.created,memory.deleted' })
    expect(total).toBe(2)
    expect(data).toMatchObject([
      { event_type: 'memory.deleted', label: 'Memory deleted', user_id: 'bob', resource_id: 'x' },
      { event_type: 'memory.created', label: 'Memory created', user_id: 'ada' },
    ])
    expect((await get('activity', { user_id: 'bob' })).total).toBe(1)
    const second = await get('activity', { event_type: 'memory.created,memory.deleted', limit: 1, page: 2 })
    expect(second).toMatchObject({ data: [{ event_type: 'memory.created' }], page: 2, page_size: 1, total: 2 })
    const refused = await client.get('/v1/dashboard/activity', { query: { event_type: 'memory.processed' } })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'event_type.0'])
  })

  test('shows a period, to the instant, of one user or of all', async () => {
    const { event, get } = await world()
    const at = (time: string) => new Date(`${daysAgo(3).toISOString().slice(0, 10)}T${time}Z`)
    for (const time of ['09:59:59.999', '10:00:00.000', '10:30:00.000', '11:00:00.000'])
      await event('memory.created', at(time))
    await event('memory.created', at('10:15:00.000'), 'bob')
    const hour = { start_date: at('10:00:00.000').toISOString(), end_date: at('11:00:00.000').toISOString() }
    const { data, total } = await get('activity', { ...hour, event_type: 'memory.created' })
    expect([total, data.map(({ created_at: time }: Json) => time.slice(11, 19))]).toEqual([
      3,
      ['10:30:00', '10:15:00', '10:00:00'],
    ])
    expect((await get('activity', { ...hour, user_id: 'bob' })).total).toBe(1)
    expect((await get('activity', { days: 2, event_type: 'memory.created' })).total).toBe(0)
    expect((await get('activity', { days: 5, event_type: 'memory.created' })).total).toBe(5)
  })

  test('goes back as long as ACTIVITY_DAYS, and fills its pages with what is within', async () => {
    const { event, get } = await world()
    for (const days of [401, 402, 403]) await event('memory.created', daysAgo(days))
    for (const days of [1, 2, 399]) await event('memory.updated', daysAgo(days))
    const page = await get('activity', { limit: 2, page: 2, event_type: 'memory.created,memory.updated' })
    expect([page.data.length, page.total]).toEqual([1, 3])
    expect((await get('activity', { event_type: 'memory.created' })).total).toBe(0)
  })
})

describe('the total of the activity feed', () => {
  test('is exact, and counted up to 10,000 for one user; pages go on to the last', async () => {
    const { event, get, database, workspaceId } = await world()
    await database.system(
      tx => tx`
        insert into core.event (workspace_id, id, kind, subject_id, user_id, created_at)
        select
          ${workspaceId},
          (
            lpad(to_hex((extract(epoch from made.at) * 1000)::bigint), 12, '0') || '7'
            || substr(replace(gen_random_uuid()::text, '-', ''), 14)
          )::uuid,
          case when n % 2 = 0 then 'memory.updated' else 'memory.created' end, n::text, 'ada', made.at
        from generate_series(1, 10050) as n
        cross join lateral (select now() - n * interval '10 minutes' as at) as made`,
    )
    const kinds = 'memory.updated,memory.created'
    expect((await get('activity', { event_type: kinds })).total).toBe(10_050)
    expect((await get('activity', { event_type: 'memory.created' })).total).toBe(5025)
    expect((await get('activity', { event_type: kinds, user_id: 'ada' })).total).toBe(10_000)
    const last = await get('activity', { event_type: kinds, limit: 100, page: 101 })
    const subjects = last.data.map(({ resource_id: subject }: Json) => Number(subject))
    expect(subjects).toEqual(Array.from({ length: 50 }, (_, n) => 10_001 + n))
    await event('memory.updated', new Date())
    expect((await get('activity', { event_type: kinds })).total).toBe(10_051)
  })
})
