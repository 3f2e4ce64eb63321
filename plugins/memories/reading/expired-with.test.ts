import { describe, expect, test } from 'bun:test'
import { memoryWorld } from '../world.test-support.ts'
import { expiredWith } from './expired-with.ts'

async function expired(...texts: readonly string[]) {
  const world = await memoryWorld({ idle: true })
  for (const text of texts) await world.create({ text, layer: 'TASK' })
  await world.tenant.transaction(tx => tx`update memories.memory set expires_at = now() - interval '1 hour'`)
  return world
}

describe('expiredWith', () => {
  test('finds the texts whose words all stand in one memory that has expired', async () => {
    const { tenant, create } = await expired('The Lisbon invoice is due.', 'Call the dentist', '明日は歯医者に行く')
    await create({ text: 'a live note on tea' })
    const texts = ['LISBON, invoice?', 'lisbon dentist', 'tea', '歯医者', '?!']
    expect([...(await expiredWith(tenant, texts))].toSorted()).toEqual(['LISBON, invoice?', '歯医者'])
  })

  test('takes little time for long queries beside long memories', async () => {
    const { tenant } = await expired(...Array.from({ length: 30 }, (_, n) => `note ${n}`))
    const words = Array.from({ length: 300 }, (_, n) => `w${n.toString(36)}`)
    const long = `${'ab'.repeat(22_000)} ${words.join(' ')}`
    await tenant.transaction(tx => tx`update memories.memory set text = ${long} || memory.text`)
    const queries = Array.from({ length: 30 }, (_, n) => `${words.join(' ')} missing${n}`)
    const begun = performance.now()
    expect((await expiredWith(tenant, queries)).size).toBe(0)
    // To look for each word in each memory took minutes, in which the embedded database did nothing else.
    expect(performance.now() - begun).toBeLessThan(5000)
  })
})
