import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { idleService, service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { imported } from '../../exports/world.test-support.ts'
import { remember } from '../../memories/consolidation/world.test-support.ts'
import { daysAgo, world } from '../world.test-support.ts'

describe('alerts', () => {
  test('are raised once, and resolve by themselves', async () => {
    const { event, search, get, database, workspaceId } = await world()
    const lookAgain = () =>
      database.system(tx => tx`update dashboard.progress set checked_at = null where workspace_id = ${workspaceId}`)
    for (let n = 0; n < 6; n++) await event('memory.failed', daysAgo(0))
    for (let n = 0; n < 20; n++) {
      await search(`old ${n}`, daysAgo(9), 0.8)
      await search(`new ${n}`, daysAgo(0), n < 10 ? 0.4 : null)
    }
    const raised = await get('alerts')
    expect(raised.map(({ type, severity }: Json) => [type, severity]).toSorted()).toEqual([
      ['PROCESSING_FAILURES', 'WARNING'],
      ['SEARCH_QUALITY_DROP', 'CRITICAL'],
      ['ZERO_RESULT_SPIKE', 'WARNING'],
    ])
    await lookAgain()
    expect((await get('alerts')).map(({ id }: Json) => id)).toEqual(raised.map(({ id }: Json) => id))
    await database.system(tx => tx`delete from search.query_log where workspace_id = ${workspaceId}`)
    await database.system(tx => tx`delete from dashboard.day where workspace_id = ${workspaceId}`)
    await database.system(tx => tx`delete from core.event where workspace_id = ${workspaceId}`)
    await lookAgain()
    const resolved = await get('alerts')
    expect(resolved.every(({ resolved_at }: Json) => resolved_at !== null)).toBe(true)
    expect(resolved.length).toBe(3)
  })

  test('name the former rate of empty searches only where there were enough before', async () => {
    const messageAfter = async (before: number) => {
      const { search, get } = await world()
      for (let n = 0; n < before; n++) await search(`old ${n}`, daysAgo(2), n < 2 ? null : 0.8)
      for (let n = 0; n < 20; n++) await search(`new ${n}`, daysAgo(0), n < 10 ? 0.8 : null)
      return (await get('alerts')).map(({ message }: Json) => message)
    }
    expect(await messageAfter(0)).toEqual(['50 % of the searches of the last 24 hours had no result.'])
    expect(await messageAfter(20)).toEqual([
      '50 % of the searches of the last 24 hours had no result, before it was 10 %.',
    ])
  })

  test('stay while a figure moves near the mark that raised them', async () => {
    const { event, get, database, workspaceId } = await world()
    const lookAgain = () =>
      database.system(tx => tx`update dashboard.progress set checked_at = null where workspace_id = ${workspaceId}`)
    const failures = async (keep: number) => {
      await database.system(async tx => {
        await tx`delete from core.event where workspace_id = ${workspaceId}`
        await tx`delete from dashboard.day where workspace_id = ${workspaceId}`
      })
      for (let n = 0; n < keep; n++) await event('memory.failed', daysAgo(0))
      await lookAgain()
      return (await get('alerts')).map(({ resolved_at: over }: Json) => over === null)
    }
    expect(await failures(4)).toEqual([])
    expect(await failures(5)).toEqual([true])
    expect(await failures(4)).toEqual([true])
    expect(await failures(2)).toEqual([false])
    expect(await failures(4)).toEqual([false])
    expect(await failures(5)).toEqual([true, false])
  })

  test('that last come before any that are over', async () => {
    const { get, database, workspaceId } = await world()
    await database.system(
      tx => tx`
        insert into dashboard.alert (workspace_id, id, type, subject, severity, title, message, created_at, resolved_at)
        select
          ${workspaceId}, gen_random_uuid(), 'QUOTA_WARNING', 'tokens', 'WARNING', 'old', '',
          now() - n * interval '1 minute', now()
        from generate_series(1, 120) as n`,
    )
    await get('summary')
    await database.system(
      tx => tx`
        insert into dashboard.alert (workspace_id, id, type, subject, severity, title, message, created_at)
        values (
          ${workspaceId}, gen_random_uuid(), 'WEBHOOK_FAILING', 'x', 'CRITICAL', 'lasts', '', now() - interval '5 hours'
        )`,
    )
    // Nobody looks again for ten seconds, so that it lasts.
    await database.system(
      tx => tx`update dashboard.progress set checked_at = now() where workspace_id = ${workspaceId}`,
    )
    const alerts = await get('alerts')
    expect([alerts.length, alerts[0].title, alerts[1].title]).toEqual([100, 'lasts', 'old'])
  })

  test('say nothing of a quality that was never above 0', async () => {
    const { search, get } = await world()
    for (let n = 0; n < 20; n++) for (const days of [3, 9]) await search(`weak ${n}`, daysAgo(days), 0)
    expect(await get('alerts')).toEqual([])
  })

  test('are looked for in workspaces that are in use, though nobody opened their dashboard', async () => {
    const { account: accountOf, database } = await service()
    const { workspaceId } = await accountOf({ plan: 'free' })
    await database.system(async tx => {
      await tx`
        insert into core.usage (workspace_id, hour, metric, operation, input)
        values (${workspaceId}, date_trunc('hour', now()), 'tokens', 'embedding', 4900000)`
      await tx`select graphile_worker.add_job('dashboard:watch', '{}'::json)`
    })
    const alerts = () =>
      database.system(
        tx => tx<{ type: string; subject: string }[]>`
          select alert.type, alert.subject from dashboard.alert where alert.workspace_id = ${workspaceId}`,
      )
    await until('an alert', async () => (await alerts()).length > 0)
    expect([...(await alerts())]).toEqual([{ type: 'QUOTA_WARNING', subject: 'tokens' }])
  })

  test('warn of a quota that is nearly used up', async () => {
    const { account: accountOf, database } = await idleService()
    const { client, workspaceId } = await accountOf({ plan: 'free' })
    await database.system(
      tx => tx`
        insert into core.usage (workspace_id, hour, metric, operation, input, output)
        values (${workspaceId}, date_trunc('hour', now()), 'tokens', 'embedding', 4500000, 0)`,
    )
    const { body } = await client.get('/v1/dashboard/alerts')
    expect(body).toMatchObject([
      { type: 'QUOTA_WARNING', severity: 'WARNING', title: '90 % of the quota of tokens is used', resolved_at: null },
    ])
  })

  test('are looked for again ten seconds after they were shown', async () => {
    const { event, get, database, workspaceId } = await world()
    expect(await get('alerts')).toEqual([])
    for (let n = 0; n < 6; n++) await event('memory.failed', daysAgo(0))
    expect(await get('alerts')).toEqual([])
    await database.system(
      tx => tx`
        update dashboard.progress set checked_at = now() - interval '11 seconds' where workspace_id = ${workspaceId}`,
    )
    expect(await get('alerts')).toMatchObject([{ type: 'PROCESSING_FAILURES' }])
  })
})

test.each(['before', 'after'])(
  'imported memories have the days they were created on, imported %s the first look',
  async when => {
    const { account: accountOf, database } = await service()
    const { client } = await accountOf()
    const total = async () => (await client.get('/v1/dashboard/categories', { query: { days: 30 } })).body.total
    if (when === 'after') expect(await total()).toBe(0)
    const memories = [12, 20].map(days => ({
      text: `It rained ${days} days ago.`,
      created_at: daysAgo(days).toISOString(),
    }))
    await imported(client, memories.map(memory => JSON.stringify(memory)).join('\n'))
    if (when === 'before') await total()
    // Somebody who asks for alerts each minute, so that the background has none to look for, does not hold the count up.
    await client.get('/v1/dashboard/alerts')
    await database.system(tx => tx`select graphile_worker.add_job('dashboard:watch', '{}'::json)`)
    await until('both memories', async () => (await total()) === 2)
  },
)

test('an import leaves the categories of other days as they were, and counts its own day as it stands', async () => {
  const { account: accountOf, database } = await service()
  const { client, workspaceId } = await accountOf()
  const counts = async () => {
    const { body } = await client.get('/v1/dashboard/categories', { query: { days: 30 } })
    return body.categories.map(({ name, count }: Json) => `${count} ${name}`).join(', ')
  }
  const watch = () => database.system(tx => tx`select graphile_worker.add_job('dashboard:watch', '{}'::json)`)
  const bring = (days: number, name: string, text: string) =>
    imported(client, JSON.stringify({ text, created_at: daysAgo(days), categories: [name] }))
  expect(await counts()).toBe('')
  await bring(3, 'drafts', 'The novel has a first chapter.')
  await bring(6, 'plans', 'Ada wants to build a greenhouse.')
  await watch()
  await until('both', async () => (await counts()) === '1 drafts, 1 plans')
  const { body } = await client.get('/v1/memories')
  for (const { id, memory } of body.data) await client.put(`/v1/memories/${id}`, { memory, categories: ['work'] })
  await bring(6, 'rain', 'It poured over Lisbon all afternoon.')
  await watch()
  await until('its day is as it is now', async () => (await counts()) === '1 drafts, 1 rain, 1 work')
  const noted = await database.system(tx => tx`select from dashboard.past_day where workspace_id = ${workspaceId}`)
  expect(noted).toHaveLength(0)
})

test('the tokens of a memory are shown once it is processed, and counted once', async () => {
  const { account: accountOf } = await service()
  const { client } = await accountOf()
  await remember(client, 'Ada grows quinces behind the old mill.')
  const tokens = async () => {
    const { body } = await client.get('/v1/dashboard/quality')
    return body.token_usage_by_operation.embedding?.input
  }
  const once = await tokens()
  expect(once).toBeGreaterThan(5)
  await remember(client, 'Bob grows quinces behind the old mill.')
  expect(await tokens()).toBe(2 * once)
})
