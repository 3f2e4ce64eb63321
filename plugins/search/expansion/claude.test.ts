import { expect, test } from 'bun:test'
import { failure } from '../../../core/models/language/claude/fake-claude.test-support.ts'
import { serviceWithClaude } from '../../../test/support/claude.ts'
import { until } from '../../../test/support/wait.ts'

// The graph would send memories to Claude, including those of other tests.
const { claude, service } = serviceWithClaude({ PLUGINS_DISABLED: 'graph' })

test('a service with a key reports it at its start', () => {
  expect(service().kernel.summary.join('\n')).toContain('language   claude/claude-haiku-5-5')
})

test('Claude widens a search once, its tokens are counted, and without it the search still works', async () => {
  const { client, workspaceId } = await service().account()
  for (const memory of ['The cabriolet stands in the barn.', 'Grace bakes bread on Sunday.']) {
    await client.post('/v1/memories', { memory })
  }
  const search = async (query: string, expand: boolean) => {
    const { status, body } = await client.post('/v1/memories/search', { query, expand, mode: 'hybrid' })
    expect(status).toBe(200)
    return { total: body.total, texts: body.data.map(({ memory }: { memory: string }) => memory) as string[] }
  }
  claude.respond(() => ({ terms: ['cabriolet', 'automobile'] }))
  const wider = await search('where is the vehicle', true)
  expect(wider.texts).toContain('The cabriolet stands in the barn.')
  await search('Where  is the VEHICLE', true)
  await search('where is the vehicle', false)
  expect(claude.requests).toHaveLength(1)
  expect(claude.requests[0]?.messages[0]?.content).toBe('where is the vehicle')

  claude.respond(request => failure(529, 'overloaded_error', request, { 'retry-after': '60' }))
  const plain = await search('who bakes', false)
  const away = await search('who bakes', true)
  expect(away.total).toBeGreaterThanOrEqual(plain.total)
  expect(away.texts).toEqual(expect.arrayContaining(plain.texts))
  await search('what is baked', true)
  expect(claude.requests).toHaveLength(1)

  // Counters are written every second.
  const counted = await until('the tokens of the search to be counted', async () => {
    const rows = await service().database.workspace(
      workspaceId,
      tx => tx<{ output: number }[]>`
        select usage.output::integer as output
        from core.usage as usage
        where usage.workspace_id = ${workspaceId} and usage.operation = 'query' and usage.output > 0`,
    )
    return rows[0]?.output
  })
  expect(counted).toBeGreaterThan(0)
})
