import { expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import { MB } from 'mneme/plugin'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { MemoryExceeded } from '../document/document.ts'
import { rawPdf } from './fixtures.test-support.ts'
import { PARSING_LIMITS, type ParsingLimits } from './limits.ts'
import { createLocalReader, inThread, threadFault } from './local-reader.ts'
import { readsDocuments } from './reader.conformance.ts'
import { createUnstructuredReader } from './unstructured/unstructured-reader.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const markdown =
  '# Harbours\n\nThe first paragraph is here.\n\nThe second paragraph is there.\n\n- an item\n\n| Town | River |\n|---|---|\n| Ghent | Leie |\n'

readsDocuments(
  'the local reader',
  async () => ({ reader: createLocalReader() }),
  async () => ({ format: 'MARKDOWN', bytes: encode(markdown) }),
)

const ELEMENTS = [
  { type: 'Header', element_id: '1', text: 'Page header', metadata: { page_number: 1 } },
  { type: 'Title', element_id: '2', text: 'Harbours', metadata: { page_number: 1, category_depth: 0 } },
  { type: 'NarrativeText', element_id: '3', text: 'The first paragraph is here.', metadata: { page_number: 1 } },
  { type: 'NarrativeText', element_id: '4', text: 'The second paragraph is there.', metadata: { page_number: 1 } },
  { type: 'ListItem', element_id: '5', text: 'an item', metadata: { page_number: 2 } },
  {
    type: 'Table',
    element_id: '6',
    text: 'Town River Ghent Leie',
    metadata: {
      text_as_html: '<table><tr><th>Town</th><th>River</th></tr><tr><td>Ghent</td><td>Leie</td></tr></table>',
    },
  },
]

/** A server that answers as the Unstructured API does. */
async function fakeApi(status = 200, body: unknown = ELEMENTS, languages: readonly string[] = []) {
  const keys: (string | undefined)[] = []
  const forms: string[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers['unstructured-api-key']?.toString())
    const parts: Uint8Array[] = []
    request
      .on('data', part => parts.push(part))
      .on('end', () => {
        forms.push(Buffer.concat(parts).toString('latin1'))
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reader = createUnstructuredReader({ url, apiKey: 'a key', formats: ['PDF'], languages })
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()))
  return { reader, keys, forms, close }
}

readsDocuments(
  'the Unstructured API',
  () => fakeApi(),
  async () => ({ format: 'PDF', bytes: encode('%PDF-1.7') }),
)

test('the Unstructured API gets the key, and what stands on every page is left out', async () => {
  const { reader, keys, close } = await fakeApi()
  const texts: string[] = []
  const document = { bytes: encode('%PDF-1.7'), format: 'PDF', name: 'a.pdf' } as const
  await reader.read(
    document,
    async chunks => void texts.push(...chunks.map(({ text }) => text)),
    new AbortController().signal,
  )
  expect(keys).toEqual(['a key'])
  expect(texts.join()).toContain('Town: Ghent; River: Leie')
  expect(texts.join()).not.toContain('Page header')
  await close()
})

test('the Unstructured API gets the languages of scans, where some are set', async () => {
  const document = { bytes: encode('%PDF-1.7'), format: 'PDF', name: 'a.pdf' } as const
  for (const languages of [[], ['deu', 'jpn']]) {
    const { reader, forms, close } = await fakeApi(200, ELEMENTS, languages)
    await reader.read(document, async () => undefined, new AbortController().signal)
    expect(/name="languages"\s+(\S+)/.exec(forms[0] ?? '')?.[1]).toBe(languages.join('+') || undefined)
    await close()
  }
})

test('the time in which chunks are stored is none of the reader', async () => {
  const clock = new ManualClock()
  const task = {
    document: { bytes: encode('a paragraph\n\n'.repeat(5000)), format: 'TEXT', name: 'a.txt' },
    limits: { ...PARSING_LIMITS, timeMs: 1000 },
  } as const
  let stored = 0
  const sink = async (chunks: readonly unknown[]) => {
    stored += chunks.length
    clock.advance(5000)
  }
  await inThread(task, sink, new AbortController().signal, clock)
  expect(stored).toBeGreaterThan(0)
  expect(clock.waiting).toBe(0)
  const slow = inThread(task, async () => undefined, new AbortController().signal, clock)
  clock.advance(1000)
  await expect(slow).rejects.toMatchObject({ code: 'TIMED_OUT' })
})

test('a reader that goes on too long, or makes too much, is ended, and the document says so', async () => {
  const code = (text: string, limits: Partial<ParsingLimits>) => {
    const document = { bytes: encode(text), format: 'TEXT', name: 'a.txt' } as const
    const reader = createLocalReader({ ...PARSING_LIMITS, ...limits })
    return reader.read(document, async () => undefined, new AbortController().signal).catch(error => error.code)
  }
  expect(await code('word '.repeat(900_000), { timeMs: 1 })).toBe('TIMED_OUT')
  expect(await code('a paragraph\n\n'.repeat(5000), { chunks: 3 })).toBe('LIMIT_EXCEEDED')
})

test('a PDF whose stream unpacks to more than a buffer may hold is refused before it is unpacked', async () => {
  const content = `BT /F1 11 Tf 60 780 Td (Ghent) Tj ET${' '.repeat(3 * MB)}`
  const hex = deflateSync(content).toString('hex')
  const bytes = rawPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 5 0 R>>',
    `<</Length ${hex.length}/Filter[/ASCIIHexDecode/FlateDecode]>>\nstream\n${hex}\nendstream`,
  ])
  const read = async (bufferBytes: number) => {
    const texts: string[] = []
    await createLocalReader({ ...PARSING_LIMITS, bufferBytes }).read(
      { bytes: bytes.slice(), format: 'PDF', name: 'a.pdf' },
      async chunks => void texts.push(...chunks.map(({ text }) => text)),
      new AbortController().signal,
    )
    return texts
  }
  expect(await read(8 * MB)).toEqual(['Ghent'])
  await expect(read(2 * MB)).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    message: expect.stringContaining('unpacked'),
  })
})

test('a parser that falls over in its thread says over what', async () => {
  const document = { bytes: encode('%PDF-1.7\nnothing that follows'), format: 'PDF', name: 'a.pdf' } as const
  const reading = createLocalReader().read(document, async () => undefined, new AbortController().signal)
  await expect(reading).rejects.toMatchObject({ code: 'CORRUPT_FILE', cause: { message: expect.stringMatching(/./) } })
})

test('a thread that reaches its own limit of memory does so by its document, which is not read again for it', () => {
  const fault = threadFault(Object.assign(new Error('JS heap out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }))
  expect(fault.code).toBe('LIMIT_EXCEEDED')
  expect(fault).not.toBeInstanceOf(MemoryExceeded)
})

test('an Unstructured API that fails, or answers with something else, is away', async () => {
  const document = { bytes: encode('%PDF-1.7'), format: 'PDF', name: 'a.pdf' } as const
  for (const [status, body] of [
    [500, { detail: 'broken' }],
    [401, { detail: 'no key' }],
    [200, [{ type: 7 }]],
  ] as const) {
    const { reader, close } = await fakeApi(status, body)
    const reading = reader.read(document, async () => undefined, new AbortController().signal)
    await expect(reading).rejects.toMatchObject({ code: 'READER_UNAVAILABLE' })
    await close()
  }
})
