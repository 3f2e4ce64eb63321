import { expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'

test('a merge leaves what was written by hand to the survivor, with which it goes', async () => {
  const { account } = await startService({ KNOWLEDGE_DEBOUNCE_MS: '0' }, { url: await ownDatabaseUrl() })
  const { client } = await account()
  const remember = async (memory: string) =>
    (await client.post('/v1/memories', { memory, user_id: 'ada', categories: ['preferences'] })).body.id
  const entry = async () => (await client.get('/v1/knowledge', { query: { user_id: 'ada' } })).body.data[0]
  const content = async (): Promise<string> => (await entry())?.content ?? ''
  const compiled = (...parts: readonly string[]) =>
    until(parts.join(' and '), async () => {
      const text = await content()
      return parts.every(part => text.includes(part))
    })
  const survivor = await remember('Ada drinks coffee.')
  const merged = await remember('Ada likes green tea.')
  await compiled('coffee', 'green tea')

  const byHand = (id: string) => `- Ada adores green tea, above all sencha. <!-- memories: ${id} -->`
  const edit = { content: (await content()).replace(/^.*green tea.*$/m, () => byHand(merged)) }
  expect((await client.put(`/v1/knowledge/${(await entry()).id}`, edit)).body.content).toContain(byHand(merged))
  await client.put(`/v1/memories/${survivor}`, { memory: 'Ada likes the green tea.' })
  await compiled(byHand(survivor), `- Ada likes the green tea. <!-- memories: ${survivor} -->`)

  expect((await client.post(`/v1/memories/${merged}/restore`)).status).toBeLessThan(300)
  await compiled(byHand(survivor), `- Ada likes green tea. <!-- memories: ${merged} -->`)
  expect((await client.delete(`/v1/memories/${survivor}`)).status).toBe(204)
  expect(await content()).toBe(`# Preferences\n\n- Ada likes green tea. <!-- memories: ${merged} -->\n`)
})
