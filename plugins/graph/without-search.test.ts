import { expect, test } from 'bun:test'
import { emptyDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { edgesOf } from './writing/writing.test-support.ts'

test('memories are read where the search plugin is switched off', async () => {
  const running = await startService({ PLUGINS_DISABLED: 'search' }, { url: await emptyDatabaseUrl() })
  const { client, workspaceId } = await running.account()
  await client.post('/v1/memories', { memory: 'I live in Porto.', user_id: 'u7' })
  const edges = () => edgesOf(running, workspaceId)
  await until('it is read', async () => (await edges()).length > 0)
  expect(await edges()).toEqual(['u7 LIVES_IN Porto'])
})
