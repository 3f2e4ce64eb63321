import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { faultsOf } from './writing.test-support.ts'

describe('a memory that another absorbs', () => {
  test('says nothing more, the survivor goes on saying it, and both do when it is restored', async () => {
    const running = await service()
    const { client, workspaceId } = await running.account()
    const saying = async (wanted: readonly string[]) => {
      await until(`${wanted.length} memories say it`, async () => {
        const rows = await running.database.workspace(
          workspaceId,
          tx => tx<{ memory_id: string }[]>`
            select distinct evidence.memory_id
            from graph.evidence
            join graph.statement on statement.workspace_id = ${workspaceId} and statement.memory_id = evidence.memory_id
            where evidence.workspace_id = ${workspaceId} and evidence.edge_id is not null
            order by 1`,
        )
        return JSON.stringify(rows.map(row => row.memory_id)) === JSON.stringify(wanted.toSorted())
      })
      expect(await faultsOf(running, workspaceId)).toEqual([])
    }
    const create = async (memory: string, categories: readonly string[]) =>
      (await client.post('/v1/memories', { memory, categories, user_id: 'u7' })).body.id
    const older = await create('Marta Silva works at Contoso', ['work'])
    await saying([older])
    const younger = await create('Marta Silva works at Contoso.', ['people'])
    await until(
      'it is absorbed',
      async () => (await client.get(`/v1/memories/${younger}`)).body.consolidated_into === older,
    )
    await saying([older])
    const { body } = await client.get('/v1/graph/entities', { query: { user_id: 'u7' } })
    expect(body.data.map((entity: { name: string }) => entity.name).toSorted()).toEqual(['Contoso', 'Marta Silva'])
    expect((await client.post(`/v1/memories/${younger}/restore`)).status).toBe(200)
    await saying([older, younger])
  })
})
