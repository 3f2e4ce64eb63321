import { describe, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { vectorModel } from '../vector-model.ts'
import { decayWeightsTask } from './decay-weights.ts'
import { embedWaiting } from './embed.ts'
import { foldMarkedNames } from './fold-marked-names.ts'
import { readWaiting } from './read-waiting.ts'
import { likesExtractor, readingWorld } from './world.test-support.ts'

const { signal } = new AbortController()

/** Two workspaces with facts: Ada's and Eve's in the first one, Bo's in the second. */
async function worlds() {
  const [one, two] = [await readingWorld(likesExtractor()), await readingWorld(likesExtractor())]
  for (const text of ['Ada likes tea', 'Ada likes coffee']) await one.remember(text, 'ada')
  await one.remember('Eve likes milk', 'eve')
  await two.remember('Bo likes tea', 'bo')
  for (const { scope, workspaceId } of [one, two]) await readWaiting(scope, workspaceId, signal)
  const { database } = one.scope
  return {
    database,
    scope: one.scope,
    workspaceId: one.workspaceId,
    inEach: async (work: (tx: Tx, workspaceId: string) => Promise<unknown>) => {
      for (const { workspaceId } of [one, two]) await database.workspace(workspaceId, tx => work(tx, workspaceId))
    },
    /** Lists the ids that a statement finds in both. */
    async ids(find: (tx: Tx, workspaceId: string) => Promise<readonly { readonly id: string }[]>): Promise<string[]> {
      const found: string[] = []
      for (const { workspaceId } of [one, two]) {
        const rows = await database.workspace(workspaceId, tx => find(tx, workspaceId))
        found.push(...rows.map(({ id }) => id))
      }
      return found
    },
  }
}

const edges = (tx: Tx, workspaceId: string) => tx<{ id: string }[]>`
  select edge.id from graph.edge where edge.workspace_id = ${workspaceId} order by edge.id`

const freshEdges = (tx: Tx, workspaceId: string) => tx<{ id: string }[]>`
  select edge.id from graph.edge where edge.workspace_id = ${workspaceId} and edge.weighed_at > now() - interval '1 hour'`

describe('graph:decay-weights', () => {
  test('weighs all edges but one that cannot be written, and that one once it is given back', async () => {
    const { database, scope, workspaceId, inEach, ids } = await worlds()
    const [bad = '', ...others] = await ids(edges)
    await inEach(
      (tx, id) => tx`update graph.edge set weighed_at = now() - interval '25 hours' where edge.workspace_id = ${id}`,
    )
    await expectOneHeldBack({
      ...{ database, sweep: 'graph:decay-weights', workspaceId, bad, others },
      ...{ table: 'graph.edge', event: 'update', where: { id: bad } },
      run: () => decayWeightsTask.run({ payload: {}, scope, attempt: 1, maxAttempts: 5, signal } as never),
      done: () => ids(freshEdges),
    })
  })

  test('settles all edges that ended but one whose entity cannot be written', async () => {
    const { database, scope, workspaceId, inEach, ids } = await worlds()
    const [coffee] = await database.workspace(
      workspaceId,
      tx => tx<{ id: string; entity: string }[]>`
        select edge.id, entity.id as entity
        from graph.edge
        join graph.entity on entity.workspace_id = ${workspaceId} and entity.id = edge.target_id
        where edge.workspace_id = ${workspaceId} and entity.name = 'coffee'`,
    )
    const bad = coffee?.id ?? ''
    const others = (await ids(edges)).filter(id => id !== bad)
    await inEach(
      (tx, id) => tx`
        update graph.edge
        set valid_to = now() - interval '1 hour', weighed_at = now() - interval '25 hours'
        where edge.workspace_id = ${id}`,
    )
    await expectOneHeldBack({
      ...{ database, sweep: 'graph:decay-weights', workspaceId, bad, others },
      ...{ table: 'graph.entity', event: 'update', where: { id: coffee?.entity ?? '' } },
      run: () => decayWeightsTask.run({ payload: {}, scope, attempt: 1, maxAttempts: 5, signal } as never),
      done: () => ids(freshEdges),
    })
  })
})

test('graph:embed gives all entities their vectors but one that cannot be written, and that one once it is given back', async () => {
  const { database, scope, workspaceId, ids } = await worlds()
  const embedder = {
    ...scope.embedder,
    modelId: `model-${crypto.randomUUID()}`,
    embed: async (texts: readonly string[]) => texts.map(() => ({ vector: Float32Array.of(1, 0), tokens: 1 })),
  }
  const [bad = '', ...others] = await ids(
    (tx, id) => tx<{ id: string }[]>`
      select entity.id from graph.entity where entity.workspace_id = ${id} order by entity.id`,
  )
  await expectOneHeldBack({
    ...{ database, sweep: 'graph:embed', workspaceId, bad, others },
    ...{ table: 'graph.entity', event: 'update', where: { id: bad } },
    run: () => embedWaiting({ ...scope, embedder }, undefined, signal, 10_000),
    done: () =>
      ids(
        (tx, id) => tx<{ id: string }[]>`
          select entity.id
          from graph.entity
          where entity.workspace_id = ${id}
            and entity.embedding_model = ${vectorModel(embedder)}
            and entity.embedding is not null`,
      ),
  })
})

test('graph:fold-names folds the names of all users but one whose names cannot be written', async () => {
  const { database, scope, workspaceId, inEach, ids } = await worlds()
  await inEach((tx, id) => tx`update graph.name set is_unfolded = true where name.workspace_id = ${id}`)
  await expectOneHeldBack({
    ...{ database, sweep: 'graph:fold-names', workspaceId, bad: 'ada', others: ['eve', 'bo'] },
    ...{ table: 'graph.name', event: 'update', where: { workspace_id: workspaceId, user_id: 'ada' } },
    run: () => foldMarkedNames(scope, signal),
    done: () =>
      ids(
        (tx, id) => tx<{ id: string }[]>`
          select name.user_id as id
          from graph.name
          where name.workspace_id = ${id}
          group by name.user_id
          having not bool_or(name.is_unfolded)`,
      ),
  })
})
