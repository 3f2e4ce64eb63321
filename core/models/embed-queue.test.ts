import { describe, expect, test } from 'bun:test'
import { EmbedQueue } from './embed-queue.ts'
import { EmbedderInputError, EmbedderUnavailableError } from './embedder.ts'

const embedding = { vector: Float32Array.of(1), tokens: 1 }

function newQueue(textsMax?: number): EmbedQueue {
  return new EmbedQueue({ textsMax, onWork: () => {} })
}

describe('the queue of texts', () => {
  test('hands out queries first, then documents in their order, never both in one batch', () => {
    const queue = newQueue()
    for (const text of ['d1', 'd2', 'd3']) void queue.enqueue([text])
    void queue.enqueue(['q1', 'q2'], { priority: 'query' })
    const batches = [queue.take(5), queue.take(2), queue.take(2), queue.take(2)]
    expect(batches.map(batch => batch.map(item => item.text))).toEqual([['q1', 'q2'], ['d1', 'd2'], ['d3'], []])
  })

  test('hands out what is in the background when neither a query nor a document waits', () => {
    const queue = newQueue()
    void queue.enqueue(['b'], { priority: 'background' })
    void queue.enqueue(['d'])
    void queue.enqueue(['q'], { priority: 'query' })
    expect(queue.length).toBe(3)
    const batches = [queue.take(5), queue.take(5), queue.take(5)]
    expect(batches.map(batch => batch.map(item => item.text))).toEqual([['q'], ['d'], ['b']])
  })

  test('hands out a short text that stands behind long ones of other calls, and keeps the order within a call', () => {
    const queue = newQueue()
    void queue.enqueue(['long text'])
    void queue.enqueue(['another long text', 'a'])
    void queue.enqueue(['b'])
    expect(queue.takeShort('document', 3)?.text).toBe('b')
    expect(queue.takeShort('document', 3)).toBeUndefined()
    expect(queue.take(9).map(item => item.text)).toEqual(['long text', 'another long text', 'a'])
    expect(queue.length).toBe(0)
  })

  test('lets calls take turns, so that one text never waits for all of another call', () => {
    const queue = newQueue()
    void queue.enqueue(['a1', 'a2', 'a3', 'a4', 'a5'])
    void queue.enqueue(['b1', 'b2'])
    expect(queue.take(1).map(item => item.text)).toEqual(['a1'])
    void queue.enqueue(['c1'])
    expect(queue.take(3).map(item => item.text)).toEqual(['b1', 'a2', 'c1'])
    expect(queue.take(9).map(item => item.text)).toEqual(['b2', 'a3', 'a4', 'a5'])
    expect([queue.length, queue.take(1)]).toEqual([0, []])
  })

  test('refuses what would exceed its bound and has room again once texts are taken', async () => {
    const queue = newQueue(3)
    void queue.enqueue(['a', 'b'])
    expect(await queue.enqueue(['c', 'd']).catch((error: unknown) => error)).toBeInstanceOf(EmbedderUnavailableError)
    queue.take(1)
    void queue.enqueue(['c', 'd'])
    expect(queue.length).toBe(3)
  })

  test('drops the waiting texts of a call as soon as one of its texts has failed', async () => {
    const queue = newQueue()
    const call = queue.enqueue(['a', 'b', 'c'])
    const other = queue.enqueue(['d'])
    queue.take(1)[0]?.rejectInput('unreadable')
    const error = await call.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(EmbedderInputError)
    expect(queue.take(5).map(item => item.text)).toEqual(['d'])
    expect(other).toBeInstanceOf(Promise)
  })

  test('answers in the order of the texts, in whatever order they are done', async () => {
    const queue = newQueue()
    const call = queue.enqueue(['a', 'b'])
    const [a, b] = queue.take(2)
    b?.resolve({ ...embedding, tokens: 2 })
    a?.resolve(embedding)
    expect((await call).map(item => item.tokens)).toEqual([1, 2])
  })

  test('once closed, refuses what waits and what comes', async () => {
    const queue = newQueue()
    const waiting = queue.enqueue(['a']).catch((error: unknown) => error)
    queue.close()
    expect(await waiting).toBeInstanceOf(EmbedderUnavailableError)
    expect(await queue.enqueue(['b']).catch((error: unknown) => error)).toBeInstanceOf(EmbedderUnavailableError)
    expect(queue.length).toBe(0)
  })
})
