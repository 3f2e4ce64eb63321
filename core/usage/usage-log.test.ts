import { expect, test } from 'bun:test'
import { controlPlane } from '../../test/support/control-plane.ts'
import { createUsageLog } from './usage-log.ts'

test('usage belongs to the span in which its hour begins', async () => {
  const { storage, account } = await controlPlane()
  const { workspaceId } = await account()
  const rows: readonly [hour: string, metric: string, input: number][] = [
    ['2026-03-01T21:00:00Z', 'requests', 1],
    ['2026-03-01T22:00:00Z', 'requests', 10],
    ['2026-03-02T21:00:00Z', 'requests', 100],
    ['2026-03-02T21:00:00Z', 'tokens', 5],
    ['2026-03-02T22:00:00Z', 'requests', 1000],
    ['2026-03-03T22:00:00Z', 'requests', 10_000],
  ]
  await storage.database.system(async tx => {
    for (const [hour, metric, input] of rows) {
      await tx`
        insert into core.usage (workspace_id, hour, metric, operation, input)
        values (${workspaceId}, ${hour}, ${metric}, '', ${input})`
    }
  })
  const starts = [new Date('2026-03-01T22:00:00Z'), new Date('2026-03-02T21:30:00Z')]
  const spans = await storage.database.workspace(workspaceId, tx =>
    createUsageLog().spans(tx, workspaceId, ['requests'], starts, new Date('2026-03-03T22:00:00Z')),
  )
  expect(spans.toSorted((one, other) => one.span - other.span)).toEqual([
    { span: 0, metric: 'requests', operation: '', input: 110, output: 0 },
    { span: 1, metric: 'requests', operation: '', input: 1000, output: 0 },
  ])
})
