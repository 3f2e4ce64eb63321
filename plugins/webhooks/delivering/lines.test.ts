import { expect, test } from 'bun:test'
import type { Webhook } from '../queries/webhooks.ts'
import type { ClaimedMessage } from './claims.ts'
import { Lines } from './lines.ts'

const webhook = { workspaceId: 'w', id: 'h', url: 'https://example.com/', active: true, secret: 'old' } as Webhook

const messageOf = (n: number) => ({ webhook, claim: { row: { payload_id: `p${n}` } } }) as ClaimedMessage

function started() {
  const world = { now: 0, reads: 0, readMs: 0, webhook: webhook as Webhook | undefined }
  const lines = new Lines(
    async () => {
      world.reads++
      world.now += world.readMs
      return world.webhook && { webhook: world.webhook, bodies: new Map() }
    },
    () => world.now,
  )
  lines.add(Array.from({ length: 5 }, (_, n) => messageOf(n)))
  return { lines, world }
}

test('a webhook is read again once a second, and not for each delivery', async () => {
  const { lines, world } = started()
  expect((await lines.next('h'))?.webhook?.secret).toBe('old')
  world.webhook = { ...webhook, secret: 'new' }
  world.now = 1000
  expect((await lines.next('h'))?.webhook?.secret).toBe('new')
  expect((await lines.next('h'))?.webhook?.secret).toBe('new')
  expect(world.reads).toBe(1)
})

test('what was claimed so long ago that its claim might lapse is not sent', async () => {
  const { lines, world } = started()
  world.now = 30_000
  expect((await lines.next('h'))?.webhook).toEqual(webhook)
  world.now = 30_001
  const late = await lines.next('h')
  expect([late?.message.webhook, late?.webhook]).toEqual([webhook, undefined])
  expect(lines.clear('h')).toHaveLength(3)
  expect(await lines.next('h')).toBeUndefined()
})

test('nor what waited so long for its webhook to be read', async () => {
  for (const [readMs, sent] of [
    [10_000, webhook],
    [10_001, undefined],
  ] as const) {
    const { lines, world } = started()
    world.now = 20_000
    world.readMs = readMs
    expect((await lines.next('h'))?.webhook).toEqual(sent)
  }
})

test('the bodies of what waits count as memory of the process until they are taken', async () => {
  const { lines } = started()
  const before = lines.holding.bytes()
  lines.add([{ webhook, body: 'x'.repeat(50_000) } as ClaimedMessage])
  expect(lines.holding.bytes() - before).toBeGreaterThan(100_000)
  lines.clear('h')
  expect(lines.holding.bytes()).toBe(0)
})
