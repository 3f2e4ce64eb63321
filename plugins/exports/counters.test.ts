import { expect, test } from 'bun:test'
import { service } from '../../test/support/service.ts'
import { exported, imported, linesOf } from './world.test-support.ts'

test('numbers of a file leave room to be counted on', async () => {
  const { client } = await (await service()).account()
  await client.post('/v1/memories', { memory: 'The kettle sings.' })
  const [line] = linesOf((await exported(client, { format: 'JSONL' })).file).filter(({ type }) => type === 'memory')
  const feedback = { positive: 1_000_000_000, negative: 0, neutral: 0, last_signal: null, last_feedback_at: null }
  const highest = { ...line, revision: 1_000_000_000, feedback }
  const beyond = [{ revision: 2_147_483_647 }, { feedback: { ...feedback, positive: 2_147_483_647 } }]
  const { client: target } = await (await service()).account()
  const lines = [...beyond.map(more => ({ ...highest, ...more })), highest].map(one => JSON.stringify(one))
  expect(await imported(target, lines.join('\n'))).toMatchObject({ memories_created: 1, lines_failed: 2 })
  const path = `/v1/memories/${line?.id}`
  expect((await target.post(`${path}/feedback`, { signal: 'POSITIVE' })).status).toBe(204)
  expect((await target.put(path, { memory: 'The kettle is silent.' })).status).toBe(200)
})
