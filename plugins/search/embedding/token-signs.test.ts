import { beforeAll, expect, test } from 'bun:test'
import { service, type TestAccount, type TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

let here: TestService
let account: TestAccount

beforeAll(async () => {
  here = await service()
  account = await here.account()
})

async function stored(memory: string): Promise<string> {
  const { body } = await account.client.post('/v1/memories', { memory, user_id: 'ada' })
  await completed(body.id)
  return body.id
}

async function completed(id: string): Promise<void> {
  await until(
    'the memory is processed',
    async () => (await account.client.get(`/v1/memories/${id}`)).body.status === 'COMPLETED',
  )
}

async function signsOf(id: string): Promise<number[]> {
  const rows = await here.database.workspace(
    account.workspaceId,
    tx => tx<{ bytes: number }[]>`
      select octet_length(token_signs.signs) as bytes
      from search.token_signs
      where token_signs.workspace_id = ${account.workspaceId} and token_signs.memory_id = ${id}`,
  )
  return rows.map(({ bytes }) => bytes)
}

test('the tokens of a text go with it: written, changed and deleted', async () => {
  const id = await stored('Ada drinks tea.')
  const before = await signsOf(id)
  // Four tokens of 48 bytes: three words and the full stop, at the least.
  expect(before).toEqual([expect.any(Number)])
  expect((before[0] ?? 0) % 48).toBe(0)
  expect(before[0]).toBeGreaterThanOrEqual(4 * 48)
  await account.client.put(`/v1/memories/${id}`, { memory: 'Ada drinks green tea in the garden behind the house.' })
  await completed(id)
  expect((await signsOf(id))[0]).toBeGreaterThan(before[0] ?? 0)
  await account.client.delete(`/v1/memories/${id}`)
  await until('its tokens are gone', async () => (await signsOf(id)).length === 0)
})

test('a search says what they count, and the score follows from it', async () => {
  await Promise.all(['The blue kettle stands in the attic.', 'She gave a kettle to her sister.'].map(stored))
  const ask = (fields: object) =>
    account.client.post('/v1/memories/search', { query: 'Where is the kettle?', explain: true, ...fields })
  const [first, second] = (await ask({})).body.data
  expect(first.memory).toContain('kettle')
  const { tokens: nearest } = first.explanation.evidence
  const { tokens: other } = second.explanation.evidence
  expect(nearest).toBeGreaterThan(0)
  expect(nearest).toBeCloseTo(-other, 6)
  expect(first.explanation.weights.tokens).toBe(1)
  const [byWords] = (await ask({ query: 'kettle', mode: 'keyword' })).body.data
  expect([byWords.explanation.evidence.tokens, byWords.explanation.weights.tokens]).toEqual([0, 0])
})
