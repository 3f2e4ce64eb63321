import { describe, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import type { ArchivedEvent, ArchivedMemory } from '../contract.ts'
import { type MemoryWorld, memoryWorld } from '../world.test-support.ts'
import { createArchive } from './archive.ts'

const NOW = '2026-01-01T00:00:00.000Z'

function archived(memory: string, other: Partial<ArchivedMemory> = {}): ArchivedMemory {
  return {
    id: v7(),
    memory,
    user_id: 'ada',
    agent_id: null,
    session_id: null,
    priority: 'MEDIUM',
    categories: [],
    metadata: null,
    layer: 'RAW',
    expires_at: null,
    source: 'API',
    revision: 1,
    consolidated_into: null,
    own_categories: null,
    own_priority: null,
    access_count: 0,
    last_accessed_at: null,
    feedback: null,
    created_at: NOW,
    updated_at: NOW,
    ...other,
  }
}

const event = (revision: number, old_content: string | null, new_content: string): ArchivedEvent => ({
  ...{ id: v7(), event: old_content === null ? 'CREATED' : 'UPDATED', old_content, new_content, revision },
  ...{ absorbed_id: null, created_at: `2026-01-0${revision}T00:00:00.000Z` },
})

const into = (survivor: ArchivedMemory, memory: string, other: Partial<ArchivedMemory> = {}) =>
  archived(memory, { consolidated_into: survivor.id, ...other })

async function store(world: MemoryWorld, ...memories: ArchivedMemory[]) {
  return (await storeBatch(world, memories)).results
}

async function storeBatch(
  { scope, tenant }: MemoryWorld,
  memories: readonly ArchivedMemory[],
  holders?: ReadonlyMap<string, string>,
) {
  const archive = createArchive(scope)
  const prepared = await archive.prepare(tenant, memories)
  return tenant.transaction(tx => archive.store(tx, tenant, prepared, holders))
}

async function survivorOf({ tenant }: MemoryWorld, { id }: ArchivedMemory): Promise<string | null | undefined> {
  return tenant.transaction(async tx => {
    const [row] = await tx<{ into: string | null }[]>`
      select memory.consolidated_into as into
      from memories.memory
      where memory.workspace_id = ${tenant.workspaceId} and memory.id = ${id}`
    return row?.into
  })
}

describe('a merged memory of an archive', () => {
  test('is stored with its survivor, through others, in whatever order they stand', async () => {
    const world = await memoryWorld()
    const survivor = archived('I live in Rome.')
    const middle = into(survivor, 'I live in Rome!')
    const last = into(middle, 'I live in Rome')
    expect(await store(world, last, middle, survivor)).toEqual(['stored', 'stored', 'stored'])
    expect([await survivorOf(world, last), await survivorOf(world, middle)]).toEqual([middle.id, survivor.id])
  })

  test('is stored with its survivor also where its archive writes ids in capital letters', async () => {
    const world = await memoryWorld()
    const survivor = archived('I live in Rome.', { id: v7().toUpperCase() })
    const merged = into(survivor, 'I live in Rome!')
    expect(await store(world, survivor, merged)).toEqual(['stored', 'stored'])
    expect(await survivorOf(world, merged)).toBe(survivor.id.toLowerCase())
  })

  test('goes to the memory that holds the text of its survivor here', async () => {
    const world = await memoryWorld()
    const held = await world.create({ text: 'I live in Rome.' })
    const survivor = archived('I live in Rome.')
    const merged = into(survivor, 'I live in Rome!')
    expect(await store(world, survivor, merged)).toEqual(['known', 'stored'])
    expect(await survivorOf(world, merged)).toBe(held.id)
  })

  test('goes to that memory also where it comes in another batch, before its survivor or after it', async () => {
    const world = await memoryWorld()
    const { tenant } = world
    const held = await world.create({ text: 'I live in Rome.' })
    const survivor = archived('I live in Rome.', { id: `77777777${v7().slice(8)}` })
    const earlier = into(survivor, 'I live in Rome!', { id: `66666666${v7().slice(8)}` })
    const later = into(survivor, 'I live in Rome', { id: `88888888${v7().slice(8)}` })
    expect(await store(world, earlier)).toEqual(['stored'])
    const { results, holders } = await storeBatch(world, [survivor])
    expect([results, [...holders]]).toEqual([['known'], [[survivor.id, held.id]]])
    expect((await storeBatch(world, [later], holders)).results).toEqual(['stored'])
    expect([await survivorOf(world, earlier), await survivorOf(world, later)]).toEqual([held.id, held.id])
    const last = into(survivor, 'I live in Rome …', { id: `99999999${v7().slice(8)}` })
    await tenant.transaction(
      tx => tx`delete from memories.memory where workspace_id = ${tenant.workspaceId} and id = ${held.id}`,
    )
    expect((await storeBatch(world, [last], holders)).results).toEqual(['known'])
  })

  test('has no holder where its survivor is here under its own id', async () => {
    const world = await memoryWorld()
    const survivor = archived('I live in Rome.')
    await store(world, survivor)
    expect((await storeBatch(world, [survivor])).holders.size).toBe(0)
  })

  test('is stored where its survivor came before, or may come yet, and not where it came and is not here', async () => {
    const world = await memoryWorld()
    const [before, after] = [
      archived('I live in Rome.'),
      archived('I live in Oslo.', { id: 'f'.repeat(8) + v7().slice(8) }),
    ]
    await store(world, before)
    const [early, late] = [into(before, 'I live in Rome!'), into(after, 'I live in Oslo!')]
    const lost = archived('I live in Porto!', { consolidated_into: `00000000${v7().slice(8)}` })
    expect(await store(world, early, late, lost)).toEqual(['stored', 'stored', 'known'])
    expect(await survivorOf(world, lost)).toBeUndefined()
  })

  test('without room for its survivor has none either', async () => {
    const world = await memoryWorld({ memoryQuota: 1 })
    const survivor = archived('I live in Rome.')
    expect(await store(world, into(survivor, 'I live in Rome!'), survivor)).toEqual(['no-room', 'no-room'])
  })

  test('of those that are merged into one another is left out', async () => {
    const world = await memoryWorld()
    const [one, other] = [archived('I live in Rome.'), archived('I live in Rome!')]
    const circle = [
      { ...one, consolidated_into: other.id },
      { ...other, consolidated_into: one.id },
    ]
    expect(await store(world, ...circle)).toEqual(['known', 'known'])
  })
})

test('a text is as old in a copy as where it comes from; an archive of before tells only of any change', async () => {
  const world = await memoryWorld()
  const [CHANGED, UPDATED] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']
  const later = { updated_at: UPDATED, revision: 3 }
  const [made, edit] = [event(1, null, 'old'), event(2, 'old', 'new')]
  await store(
    world,
    archived('edited', { ...later, text_changed_at: CHANGED }),
    archived('rated', { ...later, text_changed_at: null }),
    archived('edited or rated', later),
    archived('new', { updated_at: UPDATED }),
    archived('edited, then rated', { ...later, history: [made, edit, event(3, 'new', 'new')] }),
    archived('only rated', { ...later, history: [made, event(2, 'old', 'old'), event(3, 'old', 'old')] }),
    archived('of a long history', { ...later, history: [made, edit] }),
    archived('of a copy', { ...later, history: [event(2, null, 'new'), event(3, 'new', 'new')] }),
  )
  const { workspaceId, transaction } = world.tenant
  const page = await transaction(tx =>
    createArchive(world.scope).page(tx, workspaceId, { withHistory: false }, undefined, 10),
  )
  expect(Object.fromEntries(page.map(one => [one.memory, one.text_changed_at]))).toEqual({
    edited: CHANGED,
    rated: null,
    'edited or rated': UPDATED,
    new: null,
    'edited, then rated': CHANGED,
    'only rated': null,
    'of a long history': UPDATED,
    'of a copy': UPDATED,
  })
})
