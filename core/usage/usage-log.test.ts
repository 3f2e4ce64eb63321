import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { createUsageLog } from './usage-log.ts'

test('usage is read by the hours that begin in a span, of the metrics that are asked for', async () => {
  const { storage, account } = await controlPlane()
  const { workspaceId } = await account()
  const other = await account()
  const rows: readonly [hour: string, metric: string, input: number, workspaceId: string][] = [
    ['2026-03-01T21:00:00Z', 'requests', 1, workspaceId],
    ['2026-03-01T22:00:00Z', 'requests', 10, workspaceId],
    ['2026-03-02T21:00:00Z', 'requests', 100, workspaceId],
    ['2026-03-02T21:00:00Z', 'tokens', 5, workspaceId],
    ['2026-03-03T22:00:00Z', 'requests', 10_000, workspaceId],
    ['2026-03-02T21:00:00Z', 'requests', 7, other.workspaceId],
  ]
  await storage.database.system(async tx => {
    for (const [hour, metric, input, owner] of rows) {
      await tx`
        insert into core.usage (workspace_id, hour, metric, operation, input)
        values (${owner}, ${hour}, ${metric}, '', ${input})`
    }
  })
  const log = createUsageLog({ flush: async () => undefined })
  const [from, to] = [new Date('2026-03-01T22:00:00Z'), new Date('2026-03-03T22:00:00Z')]
  const [hours, beginning] = await storage.database.workspace(workspaceId, async tx => [
    await log.hourly(tx, workspaceId, ['requests'], from, to),
    await log.beginning(tx, workspaceId),
  ])
  expect(hours.toSorted((one, two) => one.input - two.input)).toEqual([
    { hour: from, metric: 'requests', operation: '', input: 10, output: 0 },
    { hour: new Date('2026-03-02T21:00:00Z'), metric: 'requests', operation: '', input: 100, output: 0 },
  ])
  expect(beginning).toEqual(new Date('2026-03-01T21:00:00Z'))
})

test('workspaces with usage are listed in pages, with those that had some lately', async () => {
  const { storage, account } = await controlPlane()
  const log = createUsageLog({ flush: async () => undefined })
  const accounts = [await account(), await account(), await account()]
  const ids = accounts.map(({ workspaceId }) => workspaceId).toSorted()
  await storage.database.system(async tx => {
    for (const [n, id] of ids.entries()) {
      for (const hour of [n === 1 ? '2026-03-09T10:00:00Z' : '2026-03-01T10:00:00Z', '2026-02-01T10:00:00Z']) {
        await tx`
          insert into core.usage (workspace_id, hour, metric, operation, input)
          values (${id}, ${hour}, 'requests', '', 1)`
      }
    }
  })
  const since = new Date('2026-03-05T00:00:00Z')
  const found = new Map<string, boolean>()
  let after = '00000000-0000-0000-0000-000000000000'
  for (let page = 0; page < 1000; page++) {
    const rows = await storage.database.system(tx => log.workspaces(tx, after, 2, since))
    for (const { workspaceId, isActive } of rows) found.set(workspaceId, isActive)
    after = rows.at(-1)?.workspaceId ?? after
    if (rows.length < 2) break
  }
  expect(ids.map(id => found.get(id))).toEqual([false, true, false])
})
