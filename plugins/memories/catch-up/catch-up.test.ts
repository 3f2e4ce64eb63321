import { beforeAll, describe, expect, test } from 'bun:test'
import { createLog } from '../../../core/log.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { noTurn } from '../../../test/support/no-turn.ts'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { startService, type TestAccount, type TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import type { MemoryPart } from '../contract.ts'
import type { MemoriesScope } from '../scope.ts'
import { catchUpPage } from './pass.ts'
import { dueParts, recordPresence } from './state.ts'

let running: TestService
let account: TestAccount
let services: Pick<MemoriesScope, 'database' | 'tenants' | 'quarantine' | 'log'>
const MEMORIES = 600

beforeAll(async () => {
  // A pass reads every workspace of the database, so this file has a database to itself.
  running = await startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() })
  account = await running.account()
  const { workspaceId } = account
  const tenant = { workspaceId } as never
  services = {
    database: running.database,
    tenants: { tenant: async () => tenant } as never,
    quarantine: quarantineOf('memories', running.database),
    log: createLog('silent'),
  }
  for (let from = 0; from < MEMORIES; from += 300) {
    const memories = Array.from({ length: 300 }, (_, n) => ({ memory: `Note ${from + n}` }))
    expect((await account.client.post('/v1/memories/batch', { memories })).status).toBe(207)
  }
}, 120_000)

/** Builds a part that records the memories it was made for. */
function recordingPart(id: string, outcomeOf: (ids: readonly string[]) => 'done' | 'later' = () => 'done') {
  const made = new Set<string>()
  const calls: (readonly string[])[] = []
  const part: MemoryPart = {
    id,
    missing: async (_, __, memories) => memories.filter(memory => !made.has(memory.id)).map(memory => memory.id),
    async backfill(_, ids) {
      calls.push(ids)
      const outcome = outcomeOf(ids)
      if (outcome === 'done') for (const one of ids) made.add(one)
      return outcome
    },
    stored: async () => [],
    remove: async () => undefined,
  }
  return { part, made, calls }
}

const noDeadline = new AbortController().signal

async function passOf(part: MemoryPart, pages = 20): Promise<string> {
  for (let page = 0; page < pages; page++) {
    const outcome = await catchUpPage(services, part, noDeadline)
    if (outcome !== 'more') return outcome
  }
  return 'more'
}

function stateOf(id: string) {
  return running.database.system(async tx => {
    const [row] = await tx<{ seen: number; made: number; dropped: number; failed: number; complete: boolean }[]>`
      select
        part.seen::integer, part.made::integer, part.dropped::integer, part.failed::integer,
        part.complete_as_of is not null as complete
      from memories.part
      where part.id = ${id}`
    return row
  })
}

const present = (...ids: string[]) => running.database.system(tx => recordPresence(tx, ids))
const due = (id: string) => running.database.system(async tx => (await dueParts(tx, [id])).length === 1)

describe('a part that is new', () => {
  test('is backfilled for every memory, and then nothing is due', async () => {
    await present('new')
    const { part, made, calls } = recordingPart('new')
    expect(await due('new')).toBe(true)
    expect(await passOf(part)).toBe('over')
    expect(made.size).toBe(MEMORIES)
    expect(Math.max(...calls.map(ids => ids.length))).toBeLessThanOrEqual(32)
    expect(await stateOf('new')).toEqual({ seen: MEMORIES, made: MEMORIES, dropped: 0, failed: 0, complete: true })
    expect(await due('new')).toBe(false)
    expect(await catchUpPage(services, part, noDeadline)).toBe('over')
  })

  test('resumes where the process was killed', async () => {
    await present('killed')
    const first = recordingPart('killed')
    expect(await passOf(first.part, 1)).toBe('more')
    const dies = recordingPart('killed', () => {
      throw Object.assign(new Error('connection lost'), { code: 'CONNECTION_CLOSED' })
    })
    for (const id of first.made) dies.made.add(id)
    await expect(passOf(dies.part)).rejects.toThrow('connection lost')
    const second = recordingPart('killed')
    for (const id of first.made) second.made.add(id)
    expect(await passOf(second.part)).toBe('over')
    expect(second.made.size).toBe(MEMORIES)
    expect(second.calls.flat()).toHaveLength(MEMORIES - 500)
  })

  test('without capacity keeps its cursor, and a bad memory does not block the others', async () => {
    await present('full')
    let room = 3
    const { part, made } = recordingPart('full', ids => {
      if (bad !== undefined && ids.includes(bad)) throw new Error('bad memory')
      return room-- > 0 ? 'done' : 'later'
    })
    let bad: string | undefined
    expect(await passOf(part)).toBe('later')
    expect(made.size).toBe(96)
    expect((await stateOf('full'))?.seen).toBe(0)
    const rows = await running.database.system(
      tx =>
        tx<
          { id: string }[]
        >`select memory.id from memories.memory order by memory.workspace_id, memory.id offset 200 limit 1`,
    )
    bad = rows[0]?.id
    room = Number.POSITIVE_INFINITY
    expect(await passOf(part)).toBe('over')
    expect(made.size).toBe(MEMORIES - 1)
    expect((await stateOf('full'))?.failed).toBe(1)
  })
})

test('a memory on which a part fails stops neither its neighbours nor removals, and another pass works on it later', async () => {
  await present('failing')
  const { part, made } = recordingPart('failing')
  const [bad] = await running.database.system(
    tx => tx<{ id: string }[]>`select memory.id from memories.memory order by memory.id offset 100 limit 1`,
  )
  const gone = ['00000000-0000-4000-8000-00000000dead', '00000000-0000-4000-8000-00000000beef']
  const dropped: string[] = []
  let isBroken = true
  const failing: MemoryPart = {
    ...part,
    async missing(tx, workspaceId, memories) {
      if (isBroken && memories.some(({ id }) => id === bad?.id)) throw new Error('bad memory')
      return part.missing(tx, workspaceId, memories)
    },
    stored: async (_, after) => (after ? [] : gone.map(memoryId => ({ workspaceId: account.workspaceId, memoryId }))),
    async remove(_, __, ids) {
      if (isBroken && ids.includes(gone[0] ?? '')) throw new Error('bad row')
      dropped.push(...ids)
    },
  }
  expect(await passOf(failing)).toBe('over')
  expect(made.size).toBe(MEMORIES - 1)
  expect(dropped).toEqual(gone.slice(1))
  expect(await stateOf('failing')).toMatchObject({ seen: MEMORIES, dropped: 1, failed: 2, complete: false })
  expect(await due('failing')).toBe(false)
  isBroken = false
  await rested('failing', '59 minutes')
  expect(await due('failing')).toBe(false)
  await rested('failing', '1 minute')
  await running.database.system(
    tx => tx`
      update core.quarantine
      set retry_at = quarantine.retry_at - interval '1 hour'
      where quarantine.sweep in ('memories:find-missing:failing', 'memories:remove-surplus:failing')`,
  )
  expect(await passOf(failing)).toBe('over')
  expect(made.size).toBe(MEMORIES)
  expect(dropped).toEqual([...gone.slice(1), ...gone])
  expect(await stateOf('failing')).toMatchObject({ failed: 0, complete: true })
  expect(await due('failing')).toBe(false)
})

test('a workspace without a turn has its page done later', async () => {
  await present('waiting')
  const { part, made } = recordingPart('waiting')
  const error = await noTurn()
  let isBusy = true
  const waiting: MemoryPart = {
    ...part,
    missing: async (...given) => (isBusy ? Promise.reject(error) : part.missing(...given)),
  }
  expect(await passOf(waiting)).toBe('later')
  expect((await stateOf('waiting'))?.seen).toBe(0)
  isBusy = false
  expect(await passOf(waiting)).toBe('over')
  expect(made.size).toBe(MEMORIES)
})

/** Has the rest between two passes end so much earlier, which keeps their share of the time small. */
const rested = (id: string, by = '1 day') =>
  running.database.system(async tx => {
    await tx`update memories.part set rest_until = part.rest_until - ${by}::interval where part.id = ${id}`
  })

describe('a part that was absent', () => {
  test('is due again, and once more when no process without it can be running', async () => {
    await present('away')
    const { part } = recordingPart('away')
    await passOf(part)
    await present('other')
    await rested('away')
    expect(await due('away')).toBe(true)
    await passOf(part)
    expect(await due('away')).toBe(false)
    await running.database.system(
      tx => tx`
        update memories.part
        set
          absent_from = part.absent_from - interval '10 minutes', absent_at = part.absent_at - interval '2 minutes',
          complete_as_of = part.complete_as_of - interval '2 minutes', rest_until = null
        where part.id = 'away'`,
    )
    await until('the margin is over', () => due('away'))
    await passOf(part)
    expect(await due('away')).toBe(false)
  })

  test('learns which memories were written meanwhile, and removes its data of deleted ones', async () => {
    await present('suspecting')
    const { part } = recordingPart('suspecting')
    await passOf(part)
    await running.database.system(
      tx =>
        tx`update memories.memory set updated_at = memory.updated_at - interval '1 day' where memory.text <> 'Note 1'`,
    )
    await present('other')
    await rested('suspecting')
    const suspects: boolean[] = []
    const dropped: string[] = []
    const gone = '00000000-0000-4000-8000-00000000dead'
    const suspecting: MemoryPart = {
      ...part,
      missing: async (_, __, memories) => {
        suspects.push(...memories.map(({ suspect }) => suspect))
        return []
      },
      stored: async (_, after) => (after ? [] : [{ workspaceId: account.workspaceId, memoryId: gone }]),
      remove: async (_, __, ids) => void dropped.push(...ids),
    }
    expect(await passOf(suspecting)).toBe('over')
    expect(suspects.filter(Boolean)).toHaveLength(1)
    expect(dropped).toEqual([gone])
  })
})
