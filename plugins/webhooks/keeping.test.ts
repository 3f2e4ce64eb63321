import { beforeAll, expect, test } from 'bun:test'
import { definePlugin, type Events, ok, routesOf, Type } from 'mneme/plugin'
import { eraseTypes } from '../../core/plugin.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { purge, retentionsOf } from '../../test/support/retention.ts'
import { startService } from '../../test/support/service.ts'
import { webhooksPlugin } from './index.ts'
import { dataOf } from './recording/payload.ts'
import { createWebhook, deliveriesIn, PATH, receiver, type World, world } from './world.test-support.ts'

let here: World

beforeAll(async () => {
  here = await world()
})

const LONG_AGO = '01000000-0000-7000-8000-000000000000'

test('deliveries and their bodies are kept 30 days', async () => {
  const { client, workspaceId } = await here.service.account()
  const to = await receiver(here)
  const { id } = await createWebhook(client, to.url, { events: ['memory.created'] })
  await client.post('/v1/memories', { memory: 'The old map is torn.' })
  await client.post('/v1/memories', { memory: 'The new map is whole.' })
  const [, old] = await deliveriesIn(client, id, 'SUCCEEDED', 2)
  const kept = () =>
    here.service.database.workspace(workspaceId, async tx => [
      (await tx`select from webhooks.delivery`).length,
      (await tx`select from webhooks.payload`).length,
    ])
  await purge(here.service.database, retentionsOf(webhooksPlugin), workspaceId)
  expect(await kept()).toEqual([2, 2])
  // Ids tell the time of the event, so an old delivery is one with an old id.
  await here.service.database.workspace(workspaceId, async tx => {
    await tx`
      update webhooks.payload set id = ${LONG_AGO}
      where workspace_id = ${workspaceId} and id = (select payload_id from webhooks.delivery where id = ${old?.id})`
    await tx`update webhooks.delivery set id = ${LONG_AGO} where workspace_id = ${workspaceId} and id = ${old?.id}`
  })
  await purge(here.service.database, retentionsOf(webhooksPlugin), workspaceId)
  expect(await kept()).toEqual([1, 1])
  expect((await client.get(`${PATH}/${id}/deliveries`)).body.total).toBe(1)
})

test('bodies say what the interface says of each kind, without what only the service needs', () => {
  const data = { id: 'm', user_id: 'ada', revision: 3, consolidated_ids: ['n'], status: 'PENDING', priority: 'HIGH' }
  const text = { text: 'Tea at four.' }
  const memory = 'Tea at four.'
  expect(dataOf({ kind: 'memory.consolidated', data }, text)).toEqual({
    id: 'm',
    memory,
    user_id: 'ada',
    consolidated_ids: ['n'],
  })
  expect(dataOf({ kind: 'memory.created', data }, undefined)).toEqual({
    id: 'm',
    memory: null,
    user_id: 'ada',
    status: 'PENDING',
  })
  const knowledge = { user_id: 'ada', categories: [{ id: 'k', category: 'goals', version: 2 }] }
  expect(dataOf({ kind: 'knowledge.updated', data: knowledge }, undefined)).toEqual(knowledge)
})

interface Scope {
  readonly events: Events
}

test('events of third parties are listed, and sent as they are published', async () => {
  const kiosk = definePlugin({
    id: 'kiosk',
    version: '1.0.0',
    apiVersion: 1,
    permissions: [{ name: 'Kiosk', permissions: { 'kiosk.use': 'Sell.' } }],
    emits: [
      {
        kind: 'kiosk.sold',
        description: 'Something was sold.',
        public: true,
        schema: Type.Object({ item: Type.String() }),
        example: { item: 'stamp' },
      },
    ],
    routes: [
      routesOf<Scope>()({
        method: 'POST',
        path: '/v1/x/kiosk/sales',
        access: { permission: 'kiosk.use' },
        summary: 'Sell a paper',
        responses: { 200: Type.Object({}) },
        async handle({ tenant: { workspaceId, transaction }, scope }) {
          const event = { kind: 'kiosk.sold', workspaceId, subjectId: null, userId: null, data: { item: 'paper' } }
          await transaction(tx => scope.events.publish(tx, [event]))
          return ok({})
        },
      }),
    ],
    setup: ({ events }) => ({ scope: { events } }),
  })
  const { network } = here.internet
  const service = await startService({}, { url: await ownDatabaseUrl(), network, thirdParty: [eraseTypes(kiosk)] })
  const { client } = await service.account()
  const to = await receiver(here)
  const { body } = await client.get(`${PATH}/events`, { query: { page_size: 100 } })
  expect(body.data.find(({ event }: { event: string }) => event === 'kiosk.sold')).toMatchObject({
    description: 'Something was sold.',
    example: { event: 'kiosk.sold', data: { item: 'stamp' } },
  })
  await createWebhook(client, to.url, { events: ['kiosk.sold'] })
  await client.post('/v1/x/kiosk/sales')
  const [request] = await to.got(1)
  expect(request?.body).toMatchObject({ event: 'kiosk.sold', data: { item: 'paper' } })
})
