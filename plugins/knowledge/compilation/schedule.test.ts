import { describe, expect, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { factsChangedEvent } from '../../graph/contract.ts'
import { findChanges } from '../queries/changes.ts'
import { factsChanged } from '../subscription.ts'
import { resumeTask } from '../tasks/resume.ts'
import { type KnowledgeWorld, knowledgeWorld, runCompile } from '../world.test-support.ts'

function changed({ scope, workspaceId }: KnowledgeWorld, data: Record<string, unknown>): Promise<void> {
  const event = {
    id: crypto.randomUUID(),
    kind: factsChangedEvent.kind,
    subjectId: null,
    userId: 'ada',
    createdAt: new Date(),
  }
  return factsChanged.handle({ ...event, workspaceId, data }, scope)
}

const marks = ({ scope, workspaceId }: KnowledgeWorld) =>
  scope.database.workspace(workspaceId, tx => findChanges(tx, workspaceId, 'ada', 10))

const delays = ({ enqueued }: KnowledgeWorld) => enqueued.map(({ inMs = 0 }) => inMs)

describe('a change of facts', () => {
  test('marks its categories and has them compiled a while later, in one job a user', async () => {
    const world = await knowledgeWorld()
    await changed(world, { user_id: 'ada', categories: ['preferences', 'personal'] })
    await changed(world, { user_id: 'ada', categories: ['preferences'] })
    expect((await marks(world)).toSorted()).toEqual(['personal', 'preferences'])
    expect(new Set(world.enqueued.map(({ key }) => key))).toEqual(
      new Set([`knowledge:compile:${world.workspaceId}:ada`]),
    )
    for (const delay of delays(world)) {
      expect(delay).toBeGreaterThan(2_000)
      expect(delay).toBeLessThanOrEqual(5_000)
    }
  })

  test('does not put the compilation off for ever', async () => {
    const world = await knowledgeWorld()
    await changed(world, { user_id: 'ada', categories: ['preferences'] })
    const age = (seconds: number) =>
      world.scope.database.workspace(
        world.workspaceId,
        tx => tx`
          update knowledge.change
          set marked_at = now() - make_interval(secs => ${seconds})
          where change.workspace_id = ${world.workspaceId}`,
      )
    await age(28)
    await changed(world, { user_id: 'ada', categories: ['personal'] })
    await age(300)
    await changed(world, { user_id: 'ada', categories: ['goals'] })
    const [, second = 0, third = 0] = delays(world)
    expect(second).toBeLessThanOrEqual(2_000)
    expect(third).toBeLessThanOrEqual(0)
  })

  test('that waits when the feature is taken away is forgotten', async () => {
    const world = await knowledgeWorld()
    await changed(world, { user_id: 'ada', categories: ['preferences'] })
    const find = async () => ({ ...world.tenant.workspace, features: new Set<string>() })
    await runCompile({ ...world.scope, tenants: { ...world.scope.tenants, find } }, world.workspaceId, 'ada')
    expect(await marks(world)).toEqual([])
  })

  test('in a form that nobody knows is not swallowed', async () => {
    await expect(changed(await knowledgeWorld(), { user: 'ada' })).rejects.toThrow('graph.factsChanged')
  })
})

describe('the sweep', () => {
  const sweep = ({ scope }: KnowledgeWorld) =>
    resumeTask.run({
      payload: {} as never,
      scope,
      attempt: 1,
      maxAttempts: 5,
      signal: AbortSignal.timeout(30_000),
    })

  test('queues what was marked and is not compiled, and leaves alone what waits for its turn', async () => {
    const world = await knowledgeWorld()
    await changed(world, { user_id: 'ada', categories: ['preferences'] })
    world.enqueued.length = 0
    await sweep(world)
    const own = () => world.enqueued.filter(({ payload }) => payload.workspace_id === world.workspaceId)
    expect(own()).toEqual([])
    await world.scope.database.workspace(
      world.workspaceId,
      tx => tx`
        update knowledge.change
        set marked_at = now() - interval '1 hour'
        where change.workspace_id = ${world.workspaceId}`,
    )
    await sweep(world)
    expect(own()).toHaveLength(1)
  })

  test('goes on where one user cannot be queued, and what was queued waits behind the others', async () => {
    const world = await knowledgeWorld()
    for (const user of ['ada', 'bad', 'bob']) await changed(world, { user_id: user, categories: ['preferences'] })
    await world.scope.database.workspace(
      world.workspaceId,
      tx => tx`
        update knowledge.change
        set marked_at = now() - interval '1 hour'
        where change.workspace_id = ${world.workspaceId}`,
    )
    const queued: unknown[] = []
    const jobs: KnowledgeWorld['scope']['jobs'] = {
      async enqueue(_, given) {
        const users = given.map(({ payload }) => payload.user_id)
        if (users.includes('bad')) throw new Error('no job of this one can be stored')
        if (given.some(({ payload }) => payload.workspace_id === world.workspaceId)) queued.push(...users)
      },
    }
    const failing = { ...world, scope: { ...world.scope, jobs } }
    await sweep(failing)
    await sweep(failing)
    expect(queued.toSorted()).toEqual(['ada', 'bob'])
  })

  test('has written again what a model was not there for, once it may be', async () => {
    const world = await knowledgeWorld()
    world.say('Ada likes tea.')
    await world.compile('ada', 'preferences')
    world.enqueued.length = 0
    await world.scope.database.workspace(
      world.workspaceId,
      tx => tx`
        update knowledge.entry
        set improve_at = now() - interval '1 second'
        where entry.workspace_id = ${world.workspaceId}`,
    )
    await sweep(world)
    expect(await marks(world)).toEqual(['preferences'])
    expect(world.enqueued.filter(({ payload }) => payload.workspace_id === world.workspaceId)).toHaveLength(1)
  })
  test('has all documents written again but those of a user whose documents cannot be marked', async () => {
    const worlds = [await knowledgeWorld(), await knowledgeWorld()]
    const [one, two] = worlds
    if (!(one && two)) throw new Error('there are two')
    const { database } = one.scope
    for (const [world, user] of [[one, 'bad'] as const, [one, 'ada'] as const, [two, 'bob'] as const]) {
      world.say('Somebody likes tea.')
      await world.compile(user, 'preferences')
    }
    const inEach = async <T>(statement: (tx: Tx, workspaceId: string) => Promise<readonly T[]>) =>
      (await Promise.all(worlds.map(({ workspaceId: id }) => database.workspace(id, tx => statement(tx, id))))).flat()
    await inEach(
      (tx, id) => tx`
        update knowledge.entry set improve_at = now() - interval '1 second' where entry.workspace_id = ${id}`,
    )
    one.enqueued.length = 0
    await expectOneHeldBack({
      ...{ database, sweep: 'knowledge:queue', workspaceId: one.workspaceId, bad: 'bad', others: ['ada', 'bob'] },
      ...{ table: 'knowledge.entry', event: 'update', where: { workspace_id: one.workspaceId, user_id: 'bad' } },
      run: () => sweep(one),
      async done() {
        const marked = await inEach(
          (tx, id) => tx<{ user_id: string }[]>`
            select change.user_id from knowledge.change where change.workspace_id = ${id}`,
        )
        return marked.map(row => row.user_id)
      },
    })
    const own = new Set(worlds.map(({ workspaceId }) => workspaceId))
    const queued = one.enqueued.filter(({ payload }) => own.has(String(payload.workspace_id)))
    expect(queued.map(({ payload }) => payload.user_id).toSorted()).toEqual(['ada', 'bad', 'bob'])
  })
})
