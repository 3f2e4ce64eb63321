import { afterEach, describe, expect, test } from 'bun:test'
import { setTimeout } from 'node:timers/promises'
import { createEmbedder } from './create-embedder.ts'
import type { CommonEmbedderSettings, EmbedPriority, OpenEmbedder } from './embedder.ts'
import { EmbedderInputError, EmbedderUnavailableError } from './embedder.ts'

const opened: OpenEmbedder[] = []
afterEach(() => Promise.all(opened.splice(0).map(embedder => embedder.close())))

async function withFakeThread(settings: CommonEmbedderSettings & { threadScript?: URL } = {}): Promise<OpenEmbedder> {
  const threadScript = new URL('../../packages/local-embedder/fake-model-worker.test-support.ts', import.meta.url)
  const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0, threadScript, ...settings })
  opened.push(embedder)
  return embedder
}

describe('the model thread', () => {
  test.each(['exit', 'throw'])('that dies by %s refuses what waits, then starts again by itself', async death => {
    const warnings: string[] = []
    const embedder = await withFakeThread({ warn: message => warnings.push(message) })
    await embedder.ready()
    const calls = [embedder.embed([death]), embedder.embed(['next']), embedder.embed(['other'], { priority: 'query' })]
    const outcomes = await Promise.allSettled(calls)
    // The query went first and got its reply; the other two shared the thread's fate.
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
    for (const outcome of outcomes) expect(Object(outcome).reason).toBeInstanceOf(EmbedderUnavailableError)
    expect(warnings).toEqual([expect.stringContaining('starts again in 100 ms')])
    await embedder.ready()
    expect(await embedder.embed(['again'])).toHaveLength(1)
    expect(await embedder.embed(['again', 'and again'])).toHaveLength(2)
  })

  test('that dies again and again is refused with the time of its next start, and comes back', async () => {
    const embedder = await withFakeThread()
    for (let loss = 1; loss <= 3; loss++) {
      const error = await rejection(embedder.embed(['exit']))
      expect(error).toHaveProperty('retryAfterMs', 100 * 2 ** (loss - 1))
      await embedder.ready()
    }
    await rejection(embedder.embed(['exit']))
    const refused = await rejection(embedder.embed(['refused at once']))
    expect(refused).toBeInstanceOf(EmbedderUnavailableError)
    expect(Number(Object(refused).retryAfterMs)).toBeLessThanOrEqual(800)
    expect(await rejection(embedder.ready())).toBeInstanceOf(EmbedderUnavailableError)
    expect(await untilServed(embedder)).toHaveLength(1)
  })

  test('can be closed while it waits to start again', async () => {
    const embedder = await withFakeThread()
    await rejection(embedder.embed(['exit']))
    await embedder.close()
    expect(await rejection(embedder.embed(['late']))).toBeInstanceOf(EmbedderUnavailableError)
  })

  test('is left without a word while it loads, and with a warning in a pass that does not end', async () => {
    const warnings: string[] = []
    const warn = (message: string) => warnings.push(message)
    const threadScript = new URL('../../packages/local-embedder/loading-model-worker.test-support.ts', import.meta.url)
    await (await withFakeThread({ warn, threadScript })).close()
    expect(warnings).toEqual([])
    const embedder = await withFakeThread({ warn })
    await embedder.ready()
    const hanging = rejection(embedder.embed(['hang']))
    await embedder.close()
    expect(await hanging).toBeInstanceOf(EmbedderUnavailableError)
    expect(warnings).toEqual([expect.stringContaining('did not come to rest in time')])
  })
})

describe('the local embedder', () => {
  test('tells a text that cannot be read from a model that failed', async () => {
    const embedder = await withFakeThread()
    const invalid = await rejection(embedder.embed(['fine', 'invalid', 'fine']))
    expect(invalid).toBeInstanceOf(EmbedderInputError)
    expect(invalid).toHaveProperty('index', 1)
    expect(await rejection(embedder.embed(['fail']))).toBeInstanceOf(EmbedderUnavailableError)
    expect(await embedder.embed(['fine'])).toHaveLength(1)
  })

  test('serves queries first, also between the windows of a document, and short texts between those of a long one', async () => {
    const embedder = await withFakeThread()
    await embedder.ready()
    const order: string[] = []
    const embed = async (text: string, priority: EmbedPriority) => {
      await embedder.embed([text], { priority })
      order.push(text)
    }
    await Promise.all([
      embed('windows:9', 'document'),
      embed('short', 'document'),
      embed('windows:6', 'document'),
      embed(`long ${'x'.repeat(1_000)}`, 'document'),
      embed('windows:3', 'query'),
      embed('query', 'query'),
    ])
    const told = order.map(text => text.slice(0, 9).trim())
    expect(told).toEqual(['query', 'windows:3', 'short', 'windows:6', 'windows:9', 'long xxxx'])
  })

  test('counts the tokens of every window', async () => {
    const embedder = await withFakeThread()
    const [embedding] = await embedder.embed(['windows:5'])
    expect(embedding?.tokens).toBe(15)
    expect(embedding?.vector?.[0]).toBeCloseTo(1 / Math.sqrt(384), 6)
  })
})

/** The next start comes within a second; each refusal says when to ask again. */
async function untilServed(embedder: OpenEmbedder) {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      return await embedder.embed(['served'])
    } catch (error) {
      if (!(error instanceof EmbedderUnavailableError)) throw error
      await setTimeout(error.retryAfterMs ?? 50)
    }
  }
  return []
}

function rejection(promise: Promise<unknown>): Promise<Error | undefined> {
  return promise.then(
    () => undefined,
    (error: Error) => error,
  )
}
