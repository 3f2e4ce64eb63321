import { deflateRawSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { ReadingError } from '../../plugins/ingest/document/document.ts'
import { createLocalReader } from '../../plugins/ingest/parsing/local-reader.ts'
import { GENERATED, type Generatable, generate } from './documents.ts'

/** Reads broken files and says how each ended: `bun bench/ingest/fuzz.ts [COUNT]`. Ends with 1 where one ended otherwise than it should. */
const COUNT = Number(process.argv[2] ?? 500)
const AT_ONCE = 2
const SLOW_MS = 30_000

/** The same numbers each time (mulberry32, public domain). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const encode = (text: string) => new TextEncoder().encode(text)
const reader = createLocalReader()
const outcomes = new Map<string, number>()
const faults: string[] = []
let slowestMs = 0
let next = 0

await Promise.all(Array.from({ length: AT_ONCE }, work))
console.log(`${COUNT} broken files, the slowest ${(slowestMs / 1000).toFixed(1)} s`)
for (const [outcome, count] of [...outcomes].toSorted((a, b) => b[1] - a[1])) console.log(`  ${count} ${outcome}`)
for (const fault of faults) console.log(`FAULT ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0

async function work(): Promise<void> {
  while (next < COUNT) {
    const n = next++
    const format = GENERATED[n % GENERATED.length] ?? 'TEXT'
    const bytes = await broken(format, n)
    const begunAt = performance.now()
    const outcome = await read(bytes, format).catch(error => `fault: ${error}`)
    const tookMs = performance.now() - begunAt
    slowestMs = Math.max(slowestMs, tookMs)
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (outcome.startsWith('fault') || tookMs > SLOW_MS)
      faults.push(`${n} ${format}: ${outcome} after ${Math.round(tookMs)} ms`)
  }
}

async function read(bytes: Uint8Array, format: Generatable): Promise<string> {
  try {
    await reader.read({ bytes, format, name: 'broken' }, async () => undefined, new AbortController().signal)
    return 'read all the same'
  } catch (error) {
    if (error instanceof ReadingError && error.message.length > 10) return error.code
    throw error
  }
}

async function broken(format: Generatable, n: number): Promise<Uint8Array> {
  const random = randomOf(n)
  const { bytes } = await generate(format, n % 40)
  const kind = Math.floor(n / GENERATED.length) % 6
  if (kind === 0) return flipped(bytes, random, 1 + Math.floor(random() * 40))
  if (kind === 1) return bytes.slice(0, Math.floor(random() * bytes.length))
  if (kind === 2) return wrongType(format, n)
  if (kind === 3) return hostile(n)
  if (kind === 4) return spliced(bytes, random)
  return flipped(bytes, random, Math.ceil(bytes.length / 50))
}

function flipped(bytes: Uint8Array, random: () => number, times: number): Uint8Array {
  const copy = bytes.slice()
  for (let n = 0; n < times; n++) {
    const at = Math.floor(random() * copy.length)
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  }
  return copy
}

/** A part of the file stands in it twice, another part is missing. */
function spliced(bytes: Uint8Array, random: () => number): Uint8Array {
  const [a = 0, b = 0, c = 0] = Array.from({ length: 3 }, () => Math.floor(random() * bytes.length)).toSorted(
    (x, y) => x - y,
  )
  return Uint8Array.from([
    ...bytes.subarray(0, b),
    ...bytes.subarray(a, c),
    ...bytes.subarray(c + Math.floor(random() * 200)),
  ])
}

async function wrongType(format: Generatable, n: number): Promise<Uint8Array> {
  const other = GENERATED[(GENERATED.indexOf(format) + 1 + (n % (GENERATED.length - 1))) % GENERATED.length] ?? 'TEXT'
  return (await generate(other, n % 40)).bytes
}

/** Files that are made to do harm: bombs, towers of brackets, pages of astronomical size. */
function hostile(n: number): Uint8Array {
  const zeros = new Uint8Array(80 * 1024 * 1024)
  const document = (xml: string) =>
    zipSync({ 'word/document.xml': encode(xml), '[Content_Types].xml': encode('<Types/>') })
  const files: readonly (() => Uint8Array)[] = [
    () => encode('['.repeat(2_000_000)),
    () => encode('{"a":'.repeat(200_000)),
    () => encode('<div>'.repeat(200_000)),
    () => encode(`<table>${'<tr><td colspan=99999 rowspan=99999>x'.repeat(20_000)}`),
    () => encode('>'.repeat(200_000)),
    () => encode('* '.repeat(100_000)),
    () => encode(`${'a'.repeat(3_000_000)}!`),
    () => encode(`"${'a,'.repeat(1_000_000)}`),
    () =>
      zipSync({
        'word/document.xml': zeros.subarray(0, 32 * 1024 * 1024),
        'a.xml': zeros,
        'b.xml': zeros,
        'c.xml': zeros,
      }),
    () => document(`<w:document>${'<w:p>'.repeat(100_000)}`),
    () => zipSync({ 'word/document.xml': zipSync({ 'x.xml': deflateRawSync(zeros.subarray(0, 1_000_000)) }) }),
    () => gzipSync(zeros.subarray(0, 10_000_000)),
    () =>
      encode(
        `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 999999999>>endobj\ntrailer<</Root 1 0 R>>`,
      ),
    () =>
      encode(
        `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 1e99 1e99]>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj 4 0 obj<</Length 12>>stream\n${'q '.repeat(100_000)}\nendstream endobj\ntrailer<</Root 1 0 R>>`,
      ),
  ]
  return (files[Math.floor(n / 42) % files.length] ?? (() => encode('')))()
}
