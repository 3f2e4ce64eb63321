import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { defineEvent } from './events.ts'
import { subscriptionsOf } from './subscribe.ts'

const counted = defineEvent({
  kind: 'things.counted',
  description: 'Things were counted.',
  public: false,
  schema: Type.Object({ count: Type.Integer() }, { additionalProperties: false }),
})

/** Delivers data to a subscription that adds up counts. */
function adding() {
  const scope = { sum: 0 }
  const subscription = subscriptionsOf<typeof scope>()({
    event: counted,
    name: 'add',
    gated: false,
    async handle({ data: { count } }, added) {
      added.sum += count
    },
  })
  const event = { id: 'e', kind: counted.kind, workspaceId: 'w', subjectId: null, userId: null, createdAt: new Date() }
  const deliver = (data: Record<string, unknown>, userId: string | null = null) =>
    subscription.handle({ ...event, userId, data }, scope)
  return { scope, subscription, deliver }
}

describe('a subscription to a kind with a schema', () => {
  test('gets data of that type, and more than that from a newer version', async () => {
    const { scope, subscription, deliver } = adding()
    await deliver({ count: 2 })
    await deliver({ count: 3, colour: 'red' })
    expect(scope.sum).toBe(5)
    expect(subscription).toMatchObject({ event: 'things.counted', name: 'add', gated: false })
  })

  test('never gets data that does not fit, whose delivery fails without telling what it was', async () => {
    const { scope, deliver } = adding()
    for (const data of [{}, { count: 'secret' }, { count: 1.5 }]) {
      await expect(deliver(data)).rejects.toThrow('the data of an event things.counted does not fit its schema')
    }
    expect(scope.sum).toBe(0)
  })

  test('is done with an event whose texts went with a person', async () => {
    const { scope, deliver } = adding()
    await deliver({ count: null })
    expect(scope.sum).toBe(0)
    await expect(deliver({ count: null }, 'ada')).rejects.toThrow('does not fit its schema')
  })
})
