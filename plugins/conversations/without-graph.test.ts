import { expect, test } from 'bun:test'
import { emptyDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { handIn, PATH, textsOf, user } from './world.test-support.ts'

test('without the graph statements become memories', async () => {
  // On a database of its own: elsewhere its workers would process memories that others want in the graph.
  const service = await startService({ PLUGINS_DISABLED: 'graph' }, { url: await emptyDatabaseUrl() })
  const { client } = await service.account()
  const done = await handIn(client, [user('Hi! I live in Ghent. My cat is called Pixel. Ana codes. Thanks!')])
  const texts = await textsOf(client, done.memories)
  expect(texts.slice(0, 2)).toEqual(['I live in Ghent.', 'My cat is called Pixel.'])
  expect(done.status).toBe('COMPLETED')
})

test('left out itself, its paths say so', async () => {
  const service = await startService({ PLUGINS_DISABLED: 'conversations', WORKERS: 'none' })
  const { client } = await service.account()
  const answer = await client.post(PATH, { messages: [user('I live in Ghent.')] })
  expect([answer.status, answer.body.error_code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
})
