import { expect, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { idleService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { PATH } from '../world.test-support.ts'
import { dispatching, REFUSED, remember, startedWith, TAKEN } from './dispatching.test-support.ts'
import type { AttemptResult } from './send.ts'

test('a delivery that failed for good counts once, also where storing that is repeated', async () => {
  const { database } = await idleService()
  const { account } = await startedWith()
  let transactions = 0
  const breaking: Database = {
    ...database,
    workspace: (id, work, options) =>
      database.workspace(
        id,
        async tx => {
          const result = await work(tx)
          // The first one claims, and the second stores what that came to.
          if (++transactions === 2) throw new Error('it is rolled back')
          return result
        },
        options,
      ),
  }
  const { run, gaveUp } = await dispatching({ database: breaking })
  await remember(account, 'The drum is torn.')
  await database.workspace(
    account.workspaceId,
    tx => tx`delete from webhooks.payload where workspace_id = ${account.workspaceId}`,
  )
  await run(account)
  expect(transactions).toBeGreaterThan(2)
  expect(await gaveUp()).toBe(1)
})

test('an attempt at the URL that a webhook had before says nothing of the new one', async () => {
  for (const result of [REFUSED, TAKEN]) {
    const { account, webhook } = await startedWith()
    const { dispatcher, sent, world } = await dispatching()
    const { promise, resolve: end } = Promise.withResolvers<AttemptResult>()
    world.answer = () => promise
    await remember(account, 'The harp is strung.')
    dispatcher.wake(account.workspaceId)
    await until('it is under way', async () => sent.length === 1)
    const path = `${PATH}/${webhook.id}`
    const url = 'http://93.184.216.34/moved'
    expect((await account.client.request('PATCH', path, { body: { url } })).status).toBe(200)
    end(result)
    await dispatcher.idle()
    const { body } = await account.client.get(path)
    expect(body).toMatchObject({ url, failing_since: null, last_success_at: null })
  }
})
