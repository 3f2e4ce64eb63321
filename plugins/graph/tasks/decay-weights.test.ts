import { describe, expect, test } from 'bun:test'
import { decay } from '../weight.ts'
import { decayWeightsTask } from './decay-weights.ts'
import { readWaiting } from './read-waiting.ts'
import { likesExtractor, readingWorld } from './world.test-support.ts'

const { signal } = new AbortController()
const DAY_MS = 86_400_000

const LIKES = { type: 'LIKES', source: 0, target: 1, confidence: 0.9, validFrom: null, closes: false } as const
const all = ({ text }: { readonly text: string }) => ({ start: 0, end: text.length })

describe('graph:decay-weights', () => {
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
    await decayWeightsTask.run({ payload: {}, scope, attempt: 1, maxAttempts: 5, signal } as never)
    const [teaAfter, coffeeAfter] = await weights()
    const left = 0.9 * decay('LIKES', 300 * DAY_MS)
    expect(teaAfter?.weight).toBeCloseTo(1 - (1 - left) ** 2, 4)
    expect(coffeeAfter).toEqual(coffee)
  })

  test('weighs on where evidence is older than any decay can tell', async () => {
    const { scope, workspaceId, remember } = await readingWorld(likesExtractor())
    await remember('Ada likes tea')
    await readWaiting(scope, workspaceId, signal)
    await scope.database.workspace(workspaceId, async tx => {
      await tx`update graph.evidence set stated_at = '0300-01-01' where workspace_id = ${workspaceId}`
      await tx`update graph.edge set weighed_at = now() - interval '25 hours' where workspace_id = ${workspaceId}`
    })
    await decayWeightsTask.run({ payload: {}, scope, attempt: 1, maxAttempts: 5, signal } as never)
    const [edge] = await scope.database.workspace(
      workspaceId,
      tx => tx<{ weight: number; fresh: boolean }[]>`
        select weight, weighed_at > now() - interval '1 hour' as fresh from graph.edge where workspace_id = ${workspaceId}`,
    )
    expect(edge).toMatchObject({ fresh: true })
    expect(edge?.weight).toBeLessThan(1e-6)
  })

  test('has nobody told any more of what has come to the end that a memory told of', async () => {
    const in10Years = new Date(Date.now() + 3650 * DAY_MS).toISOString()
    const extractor = likesExtractor('local', memory => ({
      relations: [{ ...LIKES, span: all(memory), validTo: in10Years }],
    }))
    const { scope, workspaceId, remember } = await readingWorld(extractor)
    await remember('Ada likes tea')
    await readWaiting(scope, workspaceId, signal)
    const state = () =>
      scope.database.workspace(workspaceId, async tx => {
        const entities = await tx<{ name: string; description: string | null }[]>`
          select name, description from graph.entity where workspace_id = ${workspaceId} order by name`
        const changed = await tx`select from graph.changed_user where workspace_id = ${workspaceId}`
        return { told: entities.map(({ name, description }) => `${name}: ${description}`), changed: changed.length }
      })
    expect((await state()).told).toEqual(['Ada: likes tea', 'tea: liked by Ada'])
    await scope.database.workspace(workspaceId, async tx => {
      await tx`delete from graph.changed_user where workspace_id = ${workspaceId}`
      await tx`
        update graph.edge set valid_to = now() - interval '1 hour', weighed_at = now() - interval '25 hours'
        where workspace_id = ${workspaceId}`
    })
    const decayWeights = () => decayWeightsTask.run({ payload: {}, scope, attempt: 1, maxAttempts: 5, signal } as never)
    await decayWeights()
    expect(await state()).toEqual({ told: ['Ada: null', 'tea: null'], changed: 1 })
    await scope.database.workspace(workspaceId, async tx => {
      await tx`delete from graph.changed_user where workspace_id = ${workspaceId}`
    })
    await decayWeights()
    expect((await state()).changed).toBe(0)
  })
})
