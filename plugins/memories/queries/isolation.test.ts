import { beforeAll, describe, expect, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import {
  findAbsorbedFields,
  lockChain,
  lockWithNearDuplicates,
  reactivate,
  setInheritedFields,
} from '../consolidation/store.ts'
import type { MemoryRecord } from '../contract.ts'
import { listMemories } from '../routes/list-memories.ts'
import { type MemoryWorld, memoryWorld } from '../world.test-support.ts'
import { markExpired, recentlyExpired } from './expiry.ts'
import { findHistory, findLeftEvents, findTextAt } from './history.ts'
import { findHolders } from './insert.ts'
import { countMemories } from './memory-count.ts'
import { countEntities, findCategories } from './overview.ts'
import { claimForProcessing, lockCurrent } from './processing.ts'
import { findDetails, findRecords, findState } from './read.ts'
import { deleteHistory, deleteMemories, lockInScope } from './remove.ts'
import { countFeedback, promoteMemory, requeueMemory, updateMemory } from './update.ts'

/** Row-level security must protect other workspaces even if a statement forgets its condition on the workspace or names the wrong one. */
let victim: MemoryWorld
let memory: MemoryRecord
let intruder: MemoryWorld

beforeAll(async () => {
  victim = await memoryWorld()
  memory = await victim.create({ text: 'secret', layer: 'TASK', categories: ['hidden'], agentId: 'x' })
  intruder = await memoryWorld()
})

describe('statements without any condition on the workspace', () => {
  test.each([
    ['select memory.id from memories.memory'],
    ['select history.id from memories.history'],
    ["update memories.memory set text = 'stolen' returning memory.id"],
    ["update memories.history set new_content = 'stolen' returning history.id"],
    ['delete from memories.memory returning memory.id'],
    ['delete from memories.history returning history.id'],
  ])('%s reads nothing of another workspace', async statement => {
    expect(await intruder.tenant.transaction(tx => tx.unsafe(statement))).toHaveLength(0)
    expect(await victim.shown(memory.id)).toMatchObject({ memory: 'secret' })
  })

  test('a row of another workspace cannot be written', async () => {
    const insert = intruder.tenant.transaction(
      tx => tx`
        insert into memories.history (workspace_id, memory_id, id, event, new_content, revision, created_at)
        values (${victim.tenant.workspaceId}, ${memory.id}, ${memory.id}, 'UPDATED', 'forged', 9, now())`,
    )
    await expect(insert).rejects.toThrow('row-level security')
  })

  test('a row cannot be moved into another workspace', async () => {
    await intruder.create({ text: 'mine' })
    const move = intruder.tenant.transaction(
      tx => tx`update memories.memory set workspace_id = ${victim.tenant.workspaceId}`,
    )
    await expect(move).rejects.toThrow('row-level security')
  })
})

describe('a statement that names another workspace', () => {
  const now = new Date()
  const text = { text: 'stolen', priority: undefined, categories: undefined, metadata: undefined }
  const NOBODY = '00000000-0000-4000-8000-000000000000'
  const NO_MARKS = { categories: [], priority: 'LOW' } as const
  const gone = () => 'gone'
  const inside = (workspaceId: string) => ({ ...intruder.tenant, workspaceId })
  const job = () => [{ memory_id: memory.id, revision: 1 }]

  const queries: [string, (tx: Tx, workspaceId: string, id: string) => Promise<unknown>, unknown][] = [
    ['findDetails', (tx, w, id) => findDetails(tx, w, id), undefined],
    ['findState', (tx, w, id) => findState(tx, w, id, 'locked'), undefined],
    ['findRecords', (tx, _, id) => findRecords(tx, [id]), []],
    ['listMemories', (tx, w) => listMemories(tx, w, {}, 1, 10), { records: [], total: 0 }],
    ['findHistory', async (tx, w, id) => (await findHistory(tx, w, id, 1, 10)).total, 0],
    ['findTextAt', (tx, _, id) => findTextAt(tx, id, 1), undefined],
    [
      'findHolders',
      async (tx, w) => (await findHolders(tx, inside(w), [{ text: 'secret', userId: 'default' }])).size,
      0,
    ],
    ['countEntities', async (tx, w) => (await countEntities(tx, w)).length, 0],
    ['findCategories', (tx, w) => findCategories(tx, w), []],
    ['countMemories', (tx, w) => countMemories(tx, w), 0],
    ['recentlyExpired', (tx, w) => recentlyExpired(tx, w, { texts: 10, characters: 10 }), []],
    ['claimForProcessing', (tx, w) => claimForProcessing(tx, w, job(), now), []],
    ['lockCurrent', async (tx, w) => (await lockCurrent(tx, w, job())).size, 0],
    ['lockWithNearDuplicates', (tx, w, id) => lockWithNearDuplicates(tx, w, [id], ['00'.repeat(32)]), []],
    ['lockChain', (tx, w, id) => lockChain(tx, w, id), []],
    ['findAbsorbedFields', (tx, w, id) => findAbsorbedFields(tx, w, id, NOBODY), []],
    ['setInheritedFields', (tx, w, id) => setInheritedFields(tx, w, id, NO_MARKS, 'kept', now).catch(gone), 'gone'],
    ['bringBack', (tx, w, id) => reactivate(tx, inside(w), id, now).catch(gone), 'gone'],
    ['markExpired', (tx, w, id) => markExpired(tx, w, [id]), []],
    ['updateMemory', (tx, w, id) => updateMemory(tx, inside(w), id, text, now), undefined],
    ['promoteMemory', (tx, w, id) => promoteMemory(tx, w, id, now), undefined],
    ['requeueMemory', (tx, w, id) => requeueMemory(tx, w, id, now), undefined],
    ['countFeedback', (tx, w, id) => countFeedback(tx, w, id, 'POSITIVE', now), undefined],
    ['deleteMemories', (tx, w, id) => deleteMemories(tx, w, [id]), []],
    ['deleteHistory', (tx, w, id) => deleteHistory(tx, w, [id]), undefined],
    ['findLeftEvents', (tx, w, id) => findLeftEvents(tx, w, [id], undefined), []],
    [
      'lockInScope',
      (tx, w) => lockInScope(tx, w, { userId: undefined, agentId: undefined, sessionId: undefined }, undefined, 10),
      [],
    ],
  ]

  test.each(queries)('%s reads and changes nothing of it', async (_, query, nothing) => {
    const { workspaceId } = victim.tenant
    expect(await intruder.tenant.transaction(tx => query(tx, workspaceId, memory.id))).toEqual(nothing)
    expect(await victim.shown(memory.id)).toMatchObject({ memory: 'secret', layer: 'TASK', feedback: null })
  })
})
