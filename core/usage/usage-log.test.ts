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
  const log = createUsageLog()
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
