import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { createEmbedder } from './create-embedder.ts'
import { embedderConformance } from './embedder.conformance.ts'
import type { EmbedPriority, OpenEmbedder } from './embedder.ts'
import { EmbedderUnavailableError } from './embedder.ts'

test('ONNX Runtime has no address in it to report to', () => {
  const binaries = new URL(
    `../bin/napi-v6/${process.platform}/${process.arch}/`,
    import.meta.resolve('onnxruntime-node'),
  )
  const libraries = readdirSync(binaries).filter(name => name.includes('onnxruntime'))
  expect(libraries.length).toBeGreaterThan(1)
  const reporting = libraries.filter(name =>
    readFileSync(new URL(name, binaries)).includes('events.data.microsoft.com'),
  )
  expect(reporting).toEqual([])
})

embedderConformance('the local model', settings => createEmbedder({ kind: 'local', ...settings }))

const SENTENCES = [
  'Ana works at Acme Corp in Berlin and writes Rust.',
  'She prefers tea over coffee, especially in the morning.',
  'The database runs on port 5432 of the machine in the cellar.',
  'What did the doctor say about my knee?',
  '東京で寿司を食べるのが好きです。',
  'A long sentence about nothing in particular that goes on and on so that it has many more tokens than the others.',
]

describe('the local model', () => {
  let onnx: OpenEmbedder
  let wasm: OpenEmbedder
  const warnings: string[] = []
  beforeAll(async () => {
    onnx = await createEmbedder({ kind: 'local' })
    const warn = (message: string) => warnings.push(message)
    wasm = await createEmbedder({ kind: 'local', onnxRuntime: 'no-such-onnx-runtime', warn })
  })
  afterAll(() => Promise.all([onnx.close(), wasm.close()]))

  test('falls back to WebAssembly under another model id, and says so, where ONNX Runtime does not load', async () => {
    expect(onnx.modelId).toBe('local/all-MiniLM-L6-v2-int8')
    expect(wasm.modelId).toBe('local/all-MiniLM-L6-v2-fp32')
    expect(warnings).toEqual([expect.stringContaining('WebAssembly')])
  })

  test('agrees in int8 with the float vectors of an implementation that is not ours', async () => {
    const [ours, theirs] = await Promise.all([onnx.embed(SENTENCES), wasm.embed(SENTENCES)])
    const cosines = ours.map((item, i) => dot(item.vector, theirs[i]?.vector))
    expect(Math.min(...cosines)).toBeGreaterThan(0.97)
    expect(ours.map(item => item.tokens)).toEqual(theirs.map(item => item.tokens))
  })

  test('reads a long text to its end, not only its first window', async () => {
    const filler = 'The committee met again and took note of the minutes of its last meeting. '.repeat(20)
    const about = 'Volcanoes erupt when magma rises through the crust and lava flows down the mountain. '.repeat(12)
    const [plain, withEnd, topic] = await onnx.embed([filler, filler + about, 'volcanic eruption'])
    expect(dot(withEnd?.vector, topic?.vector)).toBeGreaterThan(dot(plain?.vector, topic?.vector) + 0.2)
  })

  test('gives the passages of a long text beside the same vector of the whole, and short texts none', async () => {
    const text = Array.from({ length: 400 }, (_, n) => `Parcel ${n} weighs ${7 * n} grams and goes to Bergen.`).join(
      ' ',
    )
    const [[whole], [withPassages, short]] = await Promise.all([
      onnx.embed([text]),
      onnx.embed([text, SENTENCES[0] ?? ''], { passages: true }),
    ])
    expect(withPassages?.vector).toEqual(whole?.vector ?? null)
    expect([whole?.passages, short?.passages]).toEqual([undefined, undefined])
    const passages = withPassages?.passages ?? []
    expect(passages.length).toBeGreaterThan(16)
    expect(passages.length).toBeLessThanOrEqual(64)
    expect([passages[0]?.start, passages.at(-1)?.end]).toEqual([0, text.length])
    const [alone] = await onnx.embed([text.slice(passages[9]?.start, passages[9]?.end)])
    expect(dot(passages[9]?.vector ?? null, alone?.vector)).toBeGreaterThan(0.95)
  })

  test('gives texts in the background one turn of ten while documents wait', async () => {
    const order: string[] = []
    const embed = async (priority: EmbedPriority, text: string) => {
      await onnx.embed([text], { priority })
      order.push(priority)
    }
    const documents = Array.from({ length: 40 }, (_, n) => embed('document', `Parcel ${n} goes to Bergen.`))
    const others = ['A sentence of the graph.', 'Another one.'].map(text => embed('background', text))
    await Promise.all([...documents, ...others])
    const [first = 0, second = 0] = order.flatMap((priority, place) => (priority === 'background' ? [place] : []))
    expect(first).toBeLessThan(15)
    expect(second - first).toBe(10)
  })

  test('reads at most 16 windows of the longest text', async () => {
    const [embedding] = await onnx.embed(['and so on '.repeat(5_000)])
    expect(embedding?.tokens).toBeLessThanOrEqual(16 * 128)
    expect(embedding?.tokens).toBeGreaterThan(15 * 120)
  })

  test.each([['ฉันชอบดื่มกาแฟตอนเช้า'], ['ខ្ញុំចូលចិត្តតែ 5'], ['🦊🦊🦊'], ['🦊, 🍵!'], [''], [' \n']])(
    'has no vector for %j, which it cannot read',
    async text => {
      const [[one], [other]] = await Promise.all([onnx.embed([text]), wasm.embed([text])])
      expect([one, other]).toEqual([
        { vector: null, tokens: 0 },
        { vector: null, tokens: 0 },
      ])
    },
  )

  test.each([['Tea 🍵'], ['42'], ['東京で寿司を食べるのが好きです。'], ['Завтра утром'], ['C++ 🦊🦊']])(
    'has one for %j',
    async text => {
      expect((await onnx.embed([text]))[0]?.vector).toHaveLength(384)
    },
  )

  test('counts a repeated query as free and as the same vector', async () => {
    const options = { priority: 'query', workspaceId: 'w' } as const
    const [first] = await onnx.embed(['Where do I work?'], options)
    const [second] = await onnx.embed(['Where do I work?'], options)
    expect(first?.tokens).toBe(7)
    expect(second).toEqual({ ...first, vector: first?.vector ?? null, tokens: 0 })
    expect(second?.queryTokens?.weights).toHaveLength(5)
  })

  test('gives a document the bits of the same text asked as a query', async () => {
    const [query] = await onnx.embed(['The same words'], { priority: 'query' })
    const [document] = await onnx.embed(['The same words'])
    expect(document?.vector).toEqual(query?.vector ?? new Float32Array())
  })
})

test('an embedder whose thread cannot start is refused as unavailable after a few tries', async () => {
  const warnings: string[] = []
  const threadScript = new URL('./no-such-worker.ts', import.meta.url)
  const creation = createEmbedder({ kind: 'local', threadScript, warn: message => warnings.push(message) })
  expect(await creation.catch((error: unknown) => error)).toBeInstanceOf(EmbedderUnavailableError)
  expect(warnings).toHaveLength(4)
})

function dot(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  let sum = 0
  for (const [index, value] of a?.entries() ?? []) sum += value * (b?.[index] ?? Number.NaN)
  return a ? sum : Number.NaN
}
