import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { engineConformance } from '../conformance/engine.conformance.ts'
import { openWorld, settle, settled, type TypesenseWorld } from './world.test-support.ts'

let open: TypesenseWorld | undefined

/** Opens one fake at a time, because only one can replace the network. */
async function openNext(host: string): Promise<TypesenseWorld> {
  await open?.fake.stop()
  open = await openWorld({ host })
  await settle(open.engine)
  return open
}

afterAll(() => open?.fake.stop())

engineConformance('Typesense', async () => settled(await openNext('settled.test')))

test('Typesense served all of these searches itself', () => {
  const searches = open?.fake.requests.filter(({ path }) => path === '/multi_search') ?? []
  expect(searches.length).toBeGreaterThan(50)
  expect(open?.engine.proposals.fallbacks).toBe(0)
})

// Only the empty collection is sent; pending memories are found all the same.
engineConformance('Typesense, while everything waits to be sent,', () => openNext('waiting.test'))

describe('Typesense', () => {
  let world: TypesenseWorld
  beforeAll(async () => {
    world = await openNext('asked.test')
  })

  test('retrieves the candidates once everything is sent', async () => {
    const { fake, engine } = world
    const corpus = await Corpus.of(settled(world), { text: 'red apples', vector: [1, 0] })
    const before = fake.requests.length
    expect(await corpus.found('apples')).toEqual(['red apples'])
    const searches = fake.requests.slice(before).filter(({ path }) => path === '/multi_search')
    expect(searches).toHaveLength(1)
    expect([engine.proposals.away, engine.proposals.fallbacks]).toEqual([false, 0])
  })

  test('receives no text, name or metadata', async () => {
    await Corpus.of(settled(world), {
      text: 'Zyxwv naïve',
      fields: { userId: 'quentin', categories: ['secret, plan'], metadata: { colour: 'octarine' } },
    })
    for (const collection of ['mneme_memories', 'mneme_memories_vectors']) {
      const [document] = world.fake.documents(collection).filter(({ words }) => String(words).includes('zyxwv'))
      expect(document).toBeDefined()
      for (const hidden of ['quentin', 'secret', 'octarine', 'naïve'])
        expect(JSON.stringify(document)).not.toContain(hidden)
    }
  })
})
