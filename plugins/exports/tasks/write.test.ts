import { test } from 'bun:test'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

test('more exports at once than there are connections are all written', async () => {
  const url = await ownDatabaseUrl()
  const { account, database } = await startService({ WORKERS: 'none' }, { url })
  const ids: string[] = []
  for (let n = 0; n < 8; n++) {
    const { client } = await account()
    await client.post('/v1/memories', { memory: 'Ada keeps bees.' })
    ids.push((await client.post('/v1/exports', { format: 'JSONL' })).body.id)
  }
  // All are there when the jobs begin, so that all are written at once.
  await startService({ DATABASE_POOL: '4' }, { url })
  await until('all are written', async () => {
    const rows = await database.system(tx => tx<{ status: string }[]>`select status from exports.export`)
    return rows.length === ids.length && rows.every(({ status }) => status === 'COMPLETED')
  })
})
