import { describe, expect, test } from 'bun:test'
import { NATIVE_URL } from '../../test/support/database.ts'
import { gate } from '../../test/support/gate.ts'
import { until } from '../../test/support/wait.ts'
import type { KnownStatement } from '../graph/contract.ts'
import { findProfile } from './profile/store.ts'
import { holdEntries } from './queries/entries.ts'
import { createWriteHook } from './withdrawal.ts'
import { type KnowledgeWorld, knowledgeWorld, recordOf } from './world.test-support.ts'

/** Deletes memories as the memories plugin does, without any compilation afterwards. */
async function remove({ scope, workspaceId }: KnowledgeWorld, ...statements: readonly KnownStatement[]): Promise<void> {
  const ids = statements.map(({ memoryId }) => memoryId)
  const hook = createWriteHook(scope.events)
  await scope.database.workspace(workspaceId, tx => hook.removed(tx, workspaceId, ids, 'deleted'))
}

async function change({ scope, workspaceId }: KnowledgeWorld, { memoryId }: KnownStatement, text: string) {
  const hook = createWriteHook(scope.events)
  await scope.database.workspace(workspaceId, tx =>
    hook.updated(tx, [recordOf(workspaceId, memoryId, text)], new Map()),
  )
}

/** Everything that the plugin keeps of a workspace. */
async function kept({ scope, workspaceId }: KnowledgeWorld): Promise<string> {
  const rows = await scope.database.workspace(workspaceId, async tx => [
    await tx`select entry.* from knowledge.entry where entry.workspace_id = ${workspaceId}`,
    await tx`select source.* from knowledge.source where source.workspace_id = ${workspaceId}`,
    await tx`select profile.* from knowledge.profile where profile.workspace_id = ${workspaceId}`,
  ])
  return JSON.stringify(rows)
}

describe('a memory that is deleted', () => {
  test('is out of documents, profile and everything beside them at once, and the version tells', async () => {
    const world = await knowledgeWorld()
    const secret = world.say('Ada takes Zolpidem.', { categories: ['preferences', 'personal'] })
    world.say('Ada likes jazz.')
    await world.compile('ada', 'preferences', 'personal')
    expect(await kept(world)).toContain('Zolpidem')
    world.published.length = 0
    await remove(world, secret)
    const left = await kept(world)
    for (const trace of ['Zolpidem', 'zolpidem', secret.memoryId]) expect(left).not.toContain(trace)
    const entries = await world.entries('ada')
    expect([...entries.keys()]).toEqual(['preferences'])
    expect(entries.get('preferences').version).toBe(2)
    expect(world.published.map(({ data }) => data.categories)).toEqual([
      expect.arrayContaining([
        { id: expect.any(String), category: 'personal', version: 2, deleted: true },
        { id: entries.get('preferences').id, category: 'preferences', version: 2 },
      ]),
    ])
  })

  test('leaves the compilation afterwards nothing to do', async () => {
    const world = await knowledgeWorld()
    const tea = world.say('Ada likes tea.')
    world.say('Ada likes jazz.')
    await world.compile('ada', 'preferences')
    await remove(world, tea)
    world.statements.shift()
    const before = await world.entries('ada')
    world.published.length = 0
    await world.compile('ada', 'preferences')
    expect([await world.entries('ada'), world.published]).toEqual([before, []])
  })

  test('leaves what another memory says too, which is named alone then', async () => {
    const world = await knowledgeWorld()
    const [first, second] = [world.say('Ada likes tea.'), world.say('Ada likes tea!')]
    await world.compile('ada', 'preferences')
    await remove(world, second)
    expect(await world.content('ada', 'preferences')).toBe(
      `# Preferences\n\n- Ada likes tea! <!-- memories: ${first.memoryId} -->\n`,
    )
  })

  test('of many at once leaves what rests on others alone', async () => {
    const world = await knowledgeWorld()
    const gone = Array.from({ length: 60 }, (_, n) => world.say(`Fact ${n}.`, { categories: [`topic ${n % 6}`] }))
    const kept = world.say('Ada likes jazz.')
    await world.compile('ada', 'preferences', ...Array.from({ length: 6 }, (_, n) => `topic ${n}`))
    await remove(world, ...gone)
    expect([...(await world.entries('ada')).keys()]).toEqual(['preferences'])
    expect(await world.content('ada', 'preferences')).toContain(kept.memoryId)
  })

  // The embedded database runs one transaction at a time, so none waits for another.
  if (NATIVE_URL)
    test('while its documents are held for something else waits for them in their order, and neither ends the other', async () => {
      const world = await knowledgeWorld()
      const { scope, workspaceId } = world
      const categories = Array.from({ length: 6 }, (_, n) => `topic ${n}`)
      const secret = world.say('Ada takes Zolpidem.', { categories })
      await world.compile('ada', ...categories)
      const ids = [...(await world.entries('ada')).values()].map(({ id }) => id).sort()
      await scope.database.workspace(workspaceId, async tx => {
        for (const id of ids.toReversed())
          await tx`
            update knowledge.entry
            set version = entry.version
            where entry.workspace_id = ${workspaceId}
              and entry.id = ${id}`
      })
      const runs = { holding: 0, deletion: 0 }
      const held = gate()
      const holding = scope.database.workspace(workspaceId, async tx => {
        runs.holding++
        await holdEntries(tx, workspaceId, ids.slice(0, 1))
        held.open()
        await until('the deletion to wait for it', async () => {
          const waiting = await tx`
            select 1
            from pg_locks lock
            where not lock.granted
              and pg_backend_pid() = any(pg_blocking_pids(lock.pid))`
          return waiting.length > 0
        })
        return (await holdEntries(tx, workspaceId, ids)).length
      })
      await held.opened
      const deletion = scope.database.workspace(workspaceId, async tx => {
        runs.deletion++
        // Rows are found in the order in which they were written last, the other way round.
        await tx.unsafe('set local enable_indexscan = off; set local enable_bitmapscan = off')
        await createWriteHook(scope.events).removed(tx, workspaceId, [secret.memoryId], 'deleted')
      })
      expect(await holding).toBe(ids.length)
      await deletion
      expect(runs).toEqual({ holding: 1, deletion: 1 })
      expect(await kept(world)).not.toContain('Zolpidem')
    })

  test('that nothing was compiled from changes nothing', async () => {
    const world = await knowledgeWorld()
    world.say('Ada likes tea.')
    await world.compile('ada', 'preferences')
    const before = await world.entries('ada')
    await remove(world, { ...world.say('Never compiled.') })
    expect(await world.entries('ada')).toEqual(before)
  })
})

describe('a memory that is changed', () => {
  test('loses the statements that its new text does not hold, at once', async () => {
    const world = await knowledgeWorld()
    const both = world.say('Ada likes tea.')
    world.statements.push({ ...both, ordinal: 1, text: 'Ada likes jazz.' })
    await world.compile('ada', 'preferences')
    await change(world, both, 'Ada likes jazz. She prefers coffee.')
    const content = await world.content('ada', 'preferences')
    expect([content?.includes('tea'), content?.includes('jazz')]).toEqual([false, true])
    const profile = await world.scope.database.workspace(world.workspaceId, tx =>
      findProfile(tx, world.workspaceId, 'ada'),
    )
    expect(JSON.stringify(profile?.portrait)).not.toContain('tea')
  })

  test('in its priority alone changes nothing here', async () => {
    const world = await knowledgeWorld()
    const tea = world.say('Ada likes tea.')
    await world.compile('ada', 'preferences')
    const before = await kept(world)
    await change(world, tea, 'Ada likes tea.')
    expect(await kept(world)).toBe(before)
  })
})
