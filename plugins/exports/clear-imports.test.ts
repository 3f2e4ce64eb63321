import { describe, expect, test } from 'bun:test'
import type { Json } from '../../test/support/client.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { service, startService } from '../../test/support/service.ts'
import { archiveSections, memoryClearing } from '../memories/contract.ts'
import { settled, upload } from './world.test-support.ts'

const lines = [
  { text: 'Ada sails.', user_id: 'ada' },
  { text: 'Ada told the guide that she sails.', user_id: 'ada', agent_id: 'guide' },
  { text: 'Bob told the guide that he rows.', user_id: 'bob', agent_id: 'guide' },
  { text: 'Bob rows.', user_id: 'bob', session_id: 'chat' },
]
const file = lines.map(line => JSON.stringify(line)).join('\n')

/** Nobody reads files here until `work` is called: a service without workers, on a database of its own. */
async function waitingImport() {
  const url = await ownDatabaseUrl()
  const service = await startService({ WORKERS: 'none' }, { url })
  const { client, password, workspaceId } = await service.account()
  const { id } = (await upload(client, file)).body
  return {
    client,
    path: `/v1/imports/${id}`,
    async clear(query: Record<string, string>) {
      const { status } = await client.delete('/v1/memories', { query, headers: { 'x-confirm-password': password } })
      expect(status).toBe(204)
    },
    work: () => startService({}, { url }),
    pieces: () =>
      service.database.workspace(workspaceId, tx =>
        tx`select number from exports.import_piece`.then(rows => rows.length),
      ),
  }
}

describe('DELETE /v1/memories', () => {
  test('ends imports that are under way', async () => {
    const { client, path, clear, pieces } = await waitingImport()
    expect(await pieces()).toBe(1)
    await clear({})
    const { body } = await client.get(path)
    expect([body.status, body.error]).toEqual(['FAILED', expect.stringContaining('All memories of the workspace')])
    expect(await pieces()).toBe(0)
  })

  test('of a user, an agent, a session or several of them has imports leave out theirs', async () => {
    for (const [query, kept] of [
      [{ user_id: 'ada' }, ['Bob rows.', 'Bob told the guide that he rows.']],
      [{ agent_id: 'guide' }, ['Ada sails.', 'Bob rows.']],
      [
        { session_id: 'chat' },
        ['Ada sails.', 'Ada told the guide that she sails.', 'Bob told the guide that he rows.'],
      ],
      [{ user_id: 'ada', agent_id: 'guide' }, ['Ada sails.', 'Bob rows.', 'Bob told the guide that he rows.']],
    ] as const) {
      const { client, path, clear, work } = await waitingImport()
      await clear(query)
      await work()
      expect(await settled(client, path)).toMatchObject({
        status: 'COMPLETED',
        memories_created: kept.length,
        memories_skipped: lines.length - kept.length,
        lines_failed: 0,
      })
      const { data } = (await client.get('/v1/memories')).body
      expect(data.map(({ memory }: Json) => memory).toSorted()).toEqual([...kept])
    }
  })
})

test('a deletion of all memories locks imports before what they restore, as the restoring does', async () => {
  const { wiring } = (await service()).kernel
  const clearing = wiring.contributions(memoryClearing).map(({ plugin }) => plugin)
  const restoring = wiring.contributions(archiveSections).map(({ plugin }) => plugin)
  const restored = clearing.filter(plugin => restoring.includes(plugin))
  expect(restored).toContain('ingest')
  for (const plugin of restored) expect(clearing.indexOf('exports')).toBeLessThan(clearing.indexOf(plugin))
})
