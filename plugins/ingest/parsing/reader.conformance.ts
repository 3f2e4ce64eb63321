import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Chunk } from '../document/document.ts'
import type { Format } from '../formats.ts'
import type { DocumentReader } from './reader.ts'

export interface ReaderSubject {
  readonly reader: DocumentReader
  close?(): Promise<void>
}

/** A document that every reader of its format understands: a heading, two paragraphs, a list, a table. */
export interface ConformanceDocument {
  readonly format: Format
  readonly bytes: Uint8Array
}

const signal = () => new AbortController().signal

/** The suite that every reader of documents has to pass. */
export function readsDocuments(
  name: string,
  open: () => Promise<ReaderSubject>,
  document: () => Promise<ConformanceDocument>,
): void {
  describe(`${name} as a reader`, () => {
    let subject: ReaderSubject
    let given: ConformanceDocument
    beforeAll(async () => {
      subject = await open()
      given = await document()
    })
    afterAll(() => subject.close?.())

    const read = async (bytes: Uint8Array, sink: (chunks: readonly Chunk[]) => Promise<void>, own = signal()) =>
      subject.reader.read({ bytes, format: given.format, name: 'a document' }, sink, own)

    test('hands over chunks in the order of the document, under their heading', async () => {
      const chunks: Chunk[] = []
      await read(given.bytes, async part => void chunks.push(...part))
      const text = chunks.map(chunk => chunk.text).join('\n')
      const places = ['Harbours', 'first paragraph', 'second paragraph', 'an item', 'Ghent'].map(part =>
        text.indexOf(part),
      )
      expect(places.toSorted((a, b) => a - b)).toEqual(places)
      expect(places[0]).toBeGreaterThanOrEqual(0)
      expect(chunks[0]?.headingPath).toEqual(['Harbours'])
      expect(subject.reader.formats).toContain(given.format)
    })

    test('waits for the sink, and fails with what it fails with', async () => {
      let open = 0
      await read(given.bytes, async () => {
        open++
        await Promise.resolve()
        expect(open).toBe(1)
        open--
      })
      const failing = read(given.bytes, async () => {
        throw new Error('no room')
      })
      await expect(failing).rejects.toThrow('no room')
    })

    test('says that an empty file is one', async () => {
      await expect(read(new Uint8Array(), async () => undefined)).rejects.toMatchObject({ code: 'EMPTY_FILE' })
    })

    test('ends with the reason of its signal', async () => {
      const stop = AbortSignal.abort(new Error('stopped'))
      await expect(read(given.bytes, async () => undefined, stop)).rejects.toThrow('stopped')
    })
  })
}
