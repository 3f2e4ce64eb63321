import { refusesHostileAddresses } from '../../core/outgoing/hostile-addresses.conformance.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { startService } from '../../test/support/service.ts'
import { PATH } from './world.test-support.ts'

refusesHostileAddresses('a webhook', false, async ({ network }) => {
  const service = await startService({}, { url: await ownDatabaseUrl(), network })
  const { client } = await service.account()
  return {
    async request(url) {
      const { status, body: webhook } = await client.post(PATH, { url, events: ['*'] })
      if (status === 400) return 'refused'
      const { body: delivery } = await client.post(`${PATH}/${webhook.id}/test`)
      await client.delete(`${PATH}/${webhook.id}`)
      return /public address|URL/.test(delivery.error ?? '') ? 'refused' : 'sent'
    },
  }
})
