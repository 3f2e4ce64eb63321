import { expect, test } from 'bun:test'
import { type DocumentFacts, MemoryExceeded } from '../document/document.ts'
import { BYTES_WAITING_MAX } from '../limits.ts'
import type { ChunkSink, DocumentReader } from '../parsing/reader.ts'
import { ReadingPlaces } from './reading-places.ts'
import { chunksOf, stepWorld } from './step-world.test-support.ts'

/** A job whose document is read by `read`, a step at a time. */
async function world(read: (sink: ChunkSink) => Promise<DocumentFacts>, readingMsMax = 60_000) {
  const reader: DocumentReader = { id: 'local', formats: ['TEXT'], read: (_, sink) => read(sink) }
  const places = new ReadingPlaces()
  const files = {
    remove: async () => undefined,
    async *read() {
      yield new Uint8Array(1)
    },
  }
  const { tenant, submit, step } = await stepWorld({ files, readers: [reader], places, readingMsMax })
  const first = await submit()
  return {
    places,
    submit,
    async step(id = first) {
      const { outcome, job } = await step(id)
      const rows = await tenant.transaction(
        tx =>
          tx<{ text: string }[]>`select chunk.text from ingest.chunk where chunk.job_id = ${id} order by chunk.place`,
      )
      return { outcome, job, texts: rows.map(({ text }) => text) }
    },
  }
}

test('a reading whose chunks are stored slowly is gone on with by the next, and is no failed attempt', async () => {
  const parts = [chunksOf('one', 'two'), chunksOf('three'), chunksOf('four')]
  let handedOver = 0
  const { step: advance } = await world(async sink => {
    for (const part of parts) {
      handedOver++
      await sink(part)
    }
    return {}
  }, -1)
  for (const n of parts.keys()) {
    const { outcome, job, texts } = await advance()
    expect([outcome, job.stage]).toEqual([{ kind: 'continue', inMs: 0, isRetry: false }, 'read'])
    expect(texts).toEqual(parts.slice(0, n + 1).flatMap(own => own.map(({ text }) => text)))
  }
  const { job, texts } = await advance()
  expect(job).toMatchObject({ stage: 'store', chunksTotal: 4 })
  expect(texts).toHaveLength(4)
  expect(handedOver).toBe(1 + 2 + 3 + 3)
})

test('a document that the process grew too much beside is read again alone, and fails only then', async () => {
  let isHungry = true
  const { step: advance, places } = await world(async sink => {
    if (isHungry) throw new MemoryExceeded()
    await sink(chunksOf('one'))
    return {}
  })
  const first = await advance()
  expect([first.outcome, first.job]).toMatchObject([
    { kind: 'continue', isRetry: false },
    { stage: 'read', readsAlone: true },
  ])
  const release = places.tryTake('another workspace')
  // Beside another reading it waits.
  expect((await advance()).outcome).toMatchObject({ kind: 'continue', inMs: 500 })
  release?.()
  isHungry = false
  expect((await advance()).job).toMatchObject({ stage: 'store', status: 'PROCESSING' })
  const other = await world(async () => {
    throw new MemoryExceeded()
  })
  await other.step()
  expect((await other.step()).job).toMatchObject({ status: 'FAILED', errorCode: 'LIMIT_EXCEEDED' })
})

test('a page is fetched when the files under way leave room for it', async () => {
  const { step: advance, submit } = await world(async () => ({}))
  await submit({ sizeBytes: BYTES_WAITING_MAX })
  const page = await submit({ format: 'URL', contentFormat: null, sourceUrl: 'https://a.example/', sizeBytes: null })
  const { outcome, job } = await advance(page)
  expect([outcome, job.stage]).toEqual([{ kind: 'continue', inMs: 5000, isRetry: false }, 'fetch'])
})
