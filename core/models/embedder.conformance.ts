import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CommonEmbedderSettings, Embedding, OpenEmbedder } from './embedder.ts'
import { EmbedderUnavailableError } from './embedder.ts'

const ODD_TEXTS = {
  empty: '',
  blank: ' \n\t ',
  'control characters': '\u0000\u0001\u0007\u001b[31m\u200b\ufeff',
  'lone surrogates': '\ud800 and \udfff',
  emoji: '👩‍👩‍👧‍👦🇩🇪🧠',
  Japanese: '東京で寿司を食べるのが好きです。',
  Arabic: 'أحب الشاي في الصباح',
  'combining marks': `a${'\u0301'.repeat(500)}`,
  'special tokens of the model': '[CLS] [SEP] [PAD] [MASK] [UNK]',
  'one word of 50,000 characters': 'x'.repeat(50_000),
  '50,000 characters of words': 'The quick brown fox jumps over it. '.repeat(1_429).slice(0, 50_000),
  '50,000 emoji': '🦊'.repeat(50_000),
}

/**
 * Tests that every embedder must pass. `create` makes a fresh one, which the suite closes; the model behind it must
 * know English.
 */
export function embedderConformance(
  name: string,
  create: (settings: CommonEmbedderSettings) => Promise<OpenEmbedder>,
): void {
  describe(`${name} as an embedder`, () => {
    let embedder: OpenEmbedder
    beforeAll(async () => {
      embedder = await create({})
      await embedder.ready()
    })
    afterAll(() => embedder.close())

    testVectors(() => embedder)
    testOrderOfWork(() => embedder)
    testLimits(create)
    testClosing(create)
  })
}

function testVectors(embedder: () => OpenEmbedder): void {
  test('names its model and its dimensions', () => {
    expect(embedder().modelId).toMatch(/^(local|http)\/.+/)
    expect(embedder().dimensions).toBeGreaterThan(0)
  })

  test.each(Object.entries(ODD_TEXTS))(
    'gives a finite vector of length 1 and a token count for %s, or neither',
    async (_, text) => {
      const embedding = await embedOne(embedder(), text)
      if (embedding.vector === null) expect(embedding.tokens).toBe(0)
      else {
        expectUnit(embedding, embedder().dimensions)
        expect(embedding.tokens).toBeGreaterThan(0)
      }
    },
  )

  test('texts without a vector leave those beside them theirs, and are asked for again in vain', async () => {
    const texts = ['a cat', ODD_TEXTS.empty, 'a dog', ODD_TEXTS['50,000 emoji'], 'rain']
    const query = { priority: 'query', workspaceId: 'w' } as const
    for (const options of [{}, query, query]) {
      const embeddings = await embedder().embed(texts, options)
      expect(embeddings).toHaveLength(5)
      for (const index of [0, 2, 4]) expect(embeddings[index]?.vector).not.toBeNull()
      const alone = await embedOne(embedder(), ODD_TEXTS.empty)
      expect(embeddings[1]?.vector).toEqual(alone.vector)
    }
  })

  test('different texts have different vectors, or none', async () => {
    const texts = ['ฉันชอบดื่มกาแฟตอนเช้า', 'วันนี้ฝนตกหนักมาก', 'ខ្ញុំចូលចិត្តតែ', '🦊🦊', '🍵☕', ' ']
    const vectors = (await embedder().embed(texts)).flatMap(({ vector }) => (vector ? [vector.join()] : []))
    expect(new Set(vectors).size).toBe(vectors.length)
  })

  test('answers in the order of the texts', async () => {
    const texts = ['a cat', 'a much longer text about the price of coffee in Lisbon', 'a dog', 'rain', 'a cat']
    const together = await embedder().embed(texts)
    const alone = await Promise.all(texts.map(text => embedOne(embedder(), text)))
    expect(together.map(item => item.vector)).toEqual(alone.map(item => item.vector))
  })

  test('gives one text the same bits whatever its neighbours', async () => {
    const text = 'I moved from Hamburg to Oslo last spring.'
    const crowd = Array.from({ length: 30 }, (_, i) => 'word '.repeat(i * 7 + 1))
    const first = await embedOne(embedder(), text)
    const [before] = await embedder().embed([text, ...crowd])
    const after = (await embedder().embed([...crowd, text])).at(-1)
    expect(before?.vector).toEqual(first.vector)
    expect(after?.vector).toEqual(first.vector)
  })

  test('puts a paraphrase nearer than an unrelated text', async () => {
    const [text, paraphrase, unrelated] = await embedder().embed([
      'My daughter is allergic to peanuts.',
      'The girl cannot eat nuts without getting ill.',
      'The quarterly report is due on Friday.',
    ])
    expect(cosine(text, paraphrase)).toBeGreaterThan(cosine(text, unrelated) + 0.2)
  })

  test('counts more tokens for a longer text', async () => {
    const [short, long] = await embedder().embed(['tea', 'tea with milk and two spoons of sugar, please'])
    expect(long?.tokens ?? 0).toBeGreaterThan(short?.tokens ?? 0)
  })

  test('gives the caller a vector of its own', async () => {
    const options = { priority: 'query', workspaceId: 'w' } as const
    const [first] = await embedder().embed(['mine'], options)
    const bits = first?.vector?.slice()
    first?.vector?.fill(0)
    const [second] = await embedder().embed(['mine'], options)
    expect(second?.vector).toEqual(bits ?? new Float32Array())
    second?.vector?.fill(0)
    const [third] = await embedder().embed(['mine'], options)
    expect(third?.vector).toEqual(bits ?? new Float32Array())
  })

  test('answers no texts with no vectors', async () => {
    expect(await embedder().embed([])).toEqual([])
  })
}

function testOrderOfWork(embedder: () => OpenEmbedder): void {
  test('serves 200 calls at once, each with its own vector', async () => {
    const texts = Array.from({ length: 200 }, (_, i) => `The parcel number ${i} weighs ${i * 3} grams.`)
    const together = await Promise.all(texts.map(text => embedOne(embedder(), text)))
    expect(new Set(together.map(item => item.vector?.join())).size).toBe(200)
    expect(together[117]?.vector).toEqual((await embedOne(embedder(), texts[117] ?? '')).vector)
  })

  test('lets a query go before the documents that wait', async () => {
    const documents = 300
    let done = 0
    const calls = Array.from({ length: documents }, async (_, i) => {
      await embedder().embed([`Document ${i} of a long import, about the weather and other things.`])
      done++
    })
    await embedder().embed(['Where is the query?'], { priority: 'query' })
    const doneBeforeQuery = done
    await Promise.all(calls)
    expect(done).toBe(documents)
    expect(doneBeforeQuery).toBeLessThan(documents / 2)
  })

  test('takes an aborted call out of the queue and leaves the others', async () => {
    const abort = new AbortController()
    const reason = new Error('no longer wanted')
    const others = embedder().embed(Array.from({ length: 20 }, (_, i) => `other ${i}`))
    const aborted = embedder().embed(['not wanted'], { signal: abort.signal })
    abort.abort(reason)
    expect(await rejection(aborted)).toBe(reason)
    expect(await others).toHaveLength(20)
    expect(await rejection(embedder().embed(['late'], { signal: abort.signal }))).toBe(reason)
  })
}

function testLimits(create: (settings: CommonEmbedderSettings) => Promise<OpenEmbedder>): void {
  test('refuses texts beyond its queue as unavailable for now, and goes on', async () => {
    const embedder = await create({ queueTextsMax: 5 })
    const error = await rejection(embedder.embed(Array.from({ length: 6 }, (_, i) => `text ${i}`)))
    expect(error).toBeInstanceOf(EmbedderUnavailableError)
    expect(error).toHaveProperty('retryAfterMs', expect.any(Number))
    expect(await embedder.embed(['fits'])).toHaveLength(1)
    await embedder.close()
  })
}

function testClosing(create: (settings: CommonEmbedderSettings) => Promise<OpenEmbedder>): void {
  test('closes with work under way: refuses what waits, refuses what comes, ends', async () => {
    const embedder = await create({})
    await embedder.ready()
    const calls = Array.from({ length: 2_000 }, (_, i) => rejection(embedder.embed([`text ${i}`])))
    await Promise.all([embedder.close(), embedder.close()])
    const refused = (await Promise.all(calls)).filter(error => error !== undefined)
    expect(refused.length).toBeGreaterThan(1_000)
    expect(refused.every(error => error instanceof EmbedderUnavailableError)).toBe(true)
    expect(await rejection(embedder.embed(['late']))).toBeInstanceOf(EmbedderUnavailableError)
    expect(await rejection(embedder.embed(['late'], { priority: 'query' }))).toBeInstanceOf(EmbedderUnavailableError)
    expect(await rejection(embedder.ready())).toBeInstanceOf(EmbedderUnavailableError)
  })

  test('closes before it is ready', async () => {
    const embedder = await create({})
    const ready = rejection(embedder.ready())
    const call = rejection(embedder.embed(['early']))
    await embedder.close()
    // Either may have been in time; neither may hang or fail otherwise.
    for (const error of [await ready, await call]) {
      expect(error === undefined || error instanceof EmbedderUnavailableError).toBe(true)
    }
    expect(await rejection(embedder.embed(['late']))).toBeInstanceOf(EmbedderUnavailableError)
  })
}

async function embedOne(embedder: OpenEmbedder, text: string): Promise<Embedding> {
  const [embedding] = await embedder.embed([text])
  if (!embedding) throw new Error('no embedding for the text')
  return embedding
}

/** The vectors are of length 1, so their inner product is the cosine. */
function cosine(a: Embedding | undefined, b: Embedding | undefined): number {
  let sum = 0
  for (const [index, value] of a?.vector?.entries() ?? []) sum += value * (b?.vector?.[index] ?? Number.NaN)
  return a ? sum : Number.NaN
}

function expectUnit({ vector }: Embedding, dimensions: number): void {
  if (!vector) throw new Error('no vector')
  expect(vector).toHaveLength(dimensions)
  expect(vector.every(Number.isFinite)).toBe(true)
  expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
}

/** Returns the error that a promise rejects with; undefined when it does not. */
async function rejection(promise: Promise<unknown>): Promise<Error | undefined> {
  return promise.then(
    () => undefined,
    (error: Error) => error,
  )
}
