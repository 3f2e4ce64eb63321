import { expect, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import { NATIVE_URL, ownDatabaseUrl } from '../../test/support/database.ts'
import { gate } from '../../test/support/gate.ts'
import { startService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { holdEntries } from './queries/entries.ts'

/** Far more than run beside the deletions. */
const COMPILATIONS_MAX = 2_000

test('whatever is compiled at that moment, a deleted memory is nowhere once its deletion has answered', async () => {
  const { account } = await startService({ KNOWLEDGE_DEBOUNCE_MS: '0' }, { url: await ownDatabaseUrl() })
  const { client, workspaceId } = await account()
  const merged = async () => (await client.get('/v1/knowledge', { query: { merged: true } })).body.content
  const things = Array.from({ length: 24 }, (_, n) => `Pelargonium ${n + 100}`)
  const made = await client.post('/v1/memories/batch', {
    memories: things.map((thing, n) => ({ memory: `I love ${thing}.`, user_id: 'ada', categories: [`c${n % 3}`] })),
  })
  const ids: string[] = made.body.results.map(({ memory }: { memory: { id: string } }) => memory.id)
  await until('some of them to be compiled', async () => (await merged()).includes('Pelargonium'))

  let isOver = false
  const compiling = (async () => {
    for (let n = 0; n < COMPILATIONS_MAX && !isOver; n++) {
      await client.post('/v1/knowledge/compile', { user_id: 'ada' })
    }
  })()
  const remove = async (n: number) => {
    expect((await client.delete(`/v1/memories/${ids[n]}`)).status).toBe(204)
    const content = await merged()
    const profile = JSON.stringify((await client.get(`/v1/memories/profile/${workspaceId}/ada`)).body)
    expect([n, content.includes(ids[n]), content.includes(`${things[n]}.`)]).toEqual([n, false, false])
    expect([n, profile.includes(`${things[n]}`)]).toEqual([n, false])
  }
  try {
    for (let n = 0; n < 18; n += 3) await Promise.all([remove(n), remove(n + 1), remove(n + 2)])
  } finally {
    isOver = true
    await compiling
  }

  await until('the others to be compiled', async () => {
    const content = await merged()
    return things.slice(18).every(thing => content.includes(thing))
  })
  for (const thing of things.slice(0, 18)) expect(await merged()).not.toContain(`${thing}.`)
})

// The embedded database runs one transaction at a time, so none waits for another.
if (NATIVE_URL)
  test('a deletion that meets a writer of its documents in the other order is carried out, and so is the writing', async () => {
    const { account, database } = await startService({ KNOWLEDGE_DEBOUNCE_MS: '0' }, { url: await ownDatabaseUrl() })
    const { client, workspaceId } = await account()
    const memory = { memory: 'I love Pelargonium 7.', user_id: 'ada', categories: ['c0', 'c1'] }
    const { id } = (await client.post('/v1/memories', memory)).body
    const documentsIn = (tx: Tx) => tx<{ id: string }[]>`
      select entry.id from knowledge.entry where entry.workspace_id = ${workspaceId} order by entry.id`
    const documents = () => database.workspace(workspaceId, documentsIn)
    await until('two documents', async () => (await documents()).length === 2)
    const [first = '', last = ''] = (await documents()).map(document => document.id)
    const held = gate()
    const writing = database.workspace(workspaceId, async tx => {
      await holdEntries(tx, workspaceId, [last])
      held.open()
      await until('the deletion to wait for it, or to be done', async () => {
        const waiting = await tx`
          select 1 from pg_locks lock where not lock.granted and pg_backend_pid() = any(pg_blocking_pids(lock.pid))`
        return waiting.length > 0 || (await documentsIn(tx)).length === 0
      })
      return holdEntries(tx, workspaceId, [first])
    })
    await held.opened
    expect((await client.delete(`/v1/memories/${id}`)).status).toBe(204)
    expect((await writing).length).toBeLessThanOrEqual(1)
    expect((await documents()).length).toBe(0)
  })
