import { describe, expect, test } from 'bun:test'
import { decay } from '../weight.ts'
import { readWaiting } from './read-waiting.ts'
import { weighAnewTask } from './weigh-anew.ts'
import { likesExtractor, readingWorld } from './world.test-support.ts'

const signal = AbortSignal.timeout(60_000)
const DAY_MS = 86_400_000

describe('graph:weigh-anew', () => {
  test('lets weights decay of edges that were not weighed for a day, as a write would', async () => {
    const { scope, workspaceId, remember } = await readingWorld(likesExtractor())
    for (const text of ['Ada likes tea', 'Ada likes tea indeed', 'Ada likes coffee']) await remember(text)
    await readWaiting(scope, workspaceId, signal)
    const weights = () =>
      scope.database.workspace(
        workspaceId,
        tx => tx<{ name: string; weight: number; version: string }[]>`
          select entity.name, edge.weight, edge.xmin::text as version
          from graph.edge
          join graph.entity on entity.workspace_id = ${workspaceId} and entity.id = edge.target_id
          where edge.workspace_id = ${workspaceId}
          order by entity.name desc`,
      )
    const [tea, coffee] = await weights()
    expect(tea?.weight).toBeCloseTo(0.99, 5)
    expect(coffee?.weight).toBeCloseTo(0.9, 5)
    await scope.database.workspace(workspaceId, async tx => {
      await tx`
        update graph.evidence set stated_at = now() - interval '300 days' where workspace_id = ${workspaceId}`
      await tx`
        update graph.edge set weighed_at = now() - interval '25 hours'
        where workspace_id = ${workspaceId} and id in (
          select edge_id from graph.evidence where workspace_id = ${workspaceId} group by edge_id having count(*) > 1
        )`
    })
    await weighAnewTask.run({ payload: {}, scope, attempt: 1, maxAttempts: 5, signal } as never)
    const [teaAfter, coffeeAfter] = await weights()
    const left = 0.9 * decay('LIKES', 300 * DAY_MS)
    expect(teaAfter?.weight).toBeCloseTo(1 - (1 - left) ** 2, 4)
    expect(coffeeAfter).toEqual(coffee)
  })
})
