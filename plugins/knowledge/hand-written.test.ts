import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { KnownStatement } from '../graph/contract.ts'
import { createArchiveSection } from './archive/section.ts'
import { editEntry } from './compilation/edit-entry.ts'
import { verifyTask } from './tasks/verify.ts'
import { createWriteHook } from './withdrawal.ts'
import { type KnowledgeWorld, knowledgeWorld, recordOf } from './world.test-support.ts'

const comment = (...ids: readonly string[]) => `<!-- memories: ${ids.join(', ')} -->`
const byHand = (...ids: readonly string[]) => `- Ada adores green tea, above all sencha. ${comment(...ids)}`
const idOf = ({ memoryId }: KnownStatement) => memoryId

/** A document of which an editor changed the line about tea. */
async function edited() {
  const world = await knowledgeWorld()
  const coffee = world.say('Ada drinks coffee.')
  const tea = world.say('Ada likes green tea.')
  await world.compile('ada', 'preferences')
  const content = await read(world)
  await put(
    world,
    content.replace(/^.*green tea.*$/m, () => byHand(idOf(tea))),
  )
  return { world, coffee, tea }
}

async function read(world: KnowledgeWorld): Promise<string> {
  return (await world.content('ada', 'preferences')) ?? ''
}

async function put(world: KnowledgeWorld, content: string): Promise<void> {
  const { id } = (await world.entries('ada')).get('preferences')
  const entry = { id, userId: 'ada', category: 'preferences' }
  const { scope, workspaceId } = world
  await scope.database.workspace(workspaceId, tx =>
    editEntry(tx, scope, workspaceId, entry, { content, caller: 'ada' }),
  )
}

/** Merges memories as the memories plugin does. */
async function merge({ scope, workspaceId }: KnowledgeWorld, absorbed: KnownStatement, survivor: KnownStatement) {
  const hook = createWriteHook(scope.events)
  const record = ({ memoryId, text }: KnownStatement) => recordOf(workspaceId, memoryId, text)
  await scope.database.workspace(workspaceId, async tx => {
    await hook.removed(tx, workspaceId, [idOf(absorbed)], 'absorbed')
    await hook.absorbed?.(tx, workspaceId, [{ survivor: record(survivor), absorbed: [record(absorbed)] }])
  })
}

async function remove({ scope, workspaceId }: KnowledgeWorld, ids: readonly string[], why: 'deleted' | 'expired') {
  const hook = createWriteHook(scope.events)
  await scope.database.workspace(workspaceId, tx => hook.removed(tx, workspaceId, ids, why))
}

async function verify({ scope }: KnowledgeWorld): Promise<void> {
  const signal = AbortSignal.timeout(30_000)
  await verifyTask.run({ payload: {} as never, scope, attempt: 1, maxAttempts: 5, signal })
}

describe('a line by hand', () => {
  test('stays when its memory is merged into another, names that one, and goes with it', async () => {
    const { world, coffee, tea } = await edited()
    world.published.length = 0
    await merge(world, tea, coffee)
    expect(await read(world)).toContain(`${byHand(idOf(coffee))}\n`)
    expect(await read(world)).not.toContain(idOf(tea))
    expect(world.published.map(({ kind }) => kind)).toEqual(['knowledge.updated'])
    await remove(world, [idOf(coffee)], 'deleted')
    expect(await read(world)).toBe('')
  })

  test('stays through a merge and names its survivor once, after merges of that too', async () => {
    const { world, coffee, tea } = await edited()
    const rum = world.say('Ada drinks rum.')
    await put(
      world,
      (await read(world)).replace(byHand(idOf(tea)), () => byHand(idOf(tea), idOf(coffee))),
    )
    await merge(world, tea, coffee)
    expect(await read(world)).toContain(`${byHand(idOf(coffee))}\n`)
    await merge(world, coffee, rum)
    expect(await read(world)).toContain(`${byHand(idOf(rum))}\n`)
  })

  test('keeps the line it replaced away when the survivor says the same words', async () => {
    const { world, coffee, tea } = await edited()
    world.statements.splice(world.statements.indexOf(tea), 1)
    world.statements.push({ ...tea, memoryId: idOf(coffee), ordinal: 1 })
    await merge(world, tea, coffee)
    await world.compile('ada', 'preferences')
    expect(await read(world)).not.toContain('- Ada likes green tea.')
    expect(await read(world)).toContain(byHand(idOf(coffee)))
  })

  test.each(['deleted', 'expired'] as const)('goes with a memory that is %s', async why => {
    const { world, tea } = await edited()
    await remove(world, [idOf(tea)], why)
    expect(await read(world)).not.toContain('sencha')
  })

  test('about no memory that there ever was stays, without its comment', async () => {
    const { world, coffee, tea } = await edited()
    const strange = randomUUID()
    world.hidden.add(strange)
    const content = await read(world)
    await put(
      world,
      content
        .replace(byHand(idOf(tea)), () => byHand(strange))
        .concat(`\nOf both. ${comment(strange, idOf(coffee))}\n`),
    )
    const left = await read(world)
    expect(left).toMatch(/^- Ada adores green tea, above all sencha\.$/m)
    expect(left).toContain(`Of both. ${comment(idOf(coffee))}\n`)
    await verify(world)
    expect(await read(world)).toBe(left)
  })

  test('of a text that was read before its memory was deleted does not come back with it', async () => {
    const { world, tea } = await edited()
    const old = await read(world)
    const strange = randomUUID()
    await remove(world, [idOf(tea)], 'deleted')
    world.hidden.add(idOf(tea)).add(strange)
    await put(
      world,
      old.replace(byHand(idOf(tea)), () => byHand(idOf(tea), strange)),
    )
    expect(await read(world)).not.toContain('sencha')
  })

  test('of a text that was read before its memory was merged names the survivor', async () => {
    const { world, coffee, tea } = await edited()
    const old = await read(world)
    await merge(world, tea, coffee)
    world.standings.set(idOf(tea), { state: 'CONSOLIDATED', into: idOf(coffee) })
    await put(world, old)
    expect(await read(world)).toContain(`${byHand(idOf(coffee))}\n`)
  })
})

describe('the nightly verification', () => {
  test('takes a line by hand with a memory that went unnoticed, also on the next edit', async () => {
    const { world, tea } = await edited()
    const old = await read(world)
    world.hidden.add(idOf(tea))
    await verify(world)
    expect(await read(world)).not.toContain('sencha')
    await put(world, old)
    expect(await read(world)).not.toContain('sencha')
  })

  test('takes a line by hand with a memory that expired', async () => {
    const { world, tea } = await edited()
    world.standings.set(idOf(tea), { state: 'EXPIRED' })
    await verify(world)
    expect(await read(world)).not.toContain('sencha')
  })

  test('leaves a line by hand about a memory that was merged unnoticed to the survivor', async () => {
    const { world, coffee, tea } = await edited()
    world.standings.set(idOf(tea), { state: 'CONSOLIDATED', into: idOf(coffee) })
    await verify(world)
    expect(await read(world)).toContain(`${byHand(idOf(coffee))}\n`)
  })
})

test('an archive with lines about memories that are not here restores them without the comments', async () => {
  const { world: source, coffee, tea } = await edited()
  const { scope: from, workspaceId } = source
  const { records } = await from.database.workspace(workspaceId, tx =>
    createArchiveSection(from).page(tx, workspaceId, { withHistory: false }, undefined, 10),
  )
  const world = await knowledgeWorld()
  world.hidden.add(idOf(coffee)).add(idOf(tea))
  const section = createArchiveSection(world.scope)
  expect(await section.restore?.(world.tenant, records)).toEqual({ restored: 1, faults: [] })
  const left = await read(world)
  expect(left).toMatch(/Ada adores green tea, above all sencha\.$/m)
  expect(left).not.toContain(idOf(tea))
  await verify(world)
  expect(await read(world)).toBe(left)
})

test('an archive restores no entry that is longer than one may be written', async () => {
  const world = await knowledgeWorld()
  const spaced = { before: false, after: false }
  const record = (length: number) => ({
    type: 'knowledge',
    user_id: 'default',
    category: 'general',
    hand: {
      title: null,
      remarks: [{ after: null, under: null, text: 'x'.repeat(length), spaced }],
      sections: 'y'.repeat(200_000),
      removed: [],
    },
  })
  const section = createArchiveSection(world.scope)
  expect(await section.restore?.(world.tenant, [record(250_000), record(150_000)])).toEqual({
    restored: 1,
    faults: [{ at: 0, message: 'hand must be at most 400000 characters in all' }],
  })
})
