import { createLocalReader } from '../../plugins/ingest/parsing/local-reader.ts'
import { GENERATED, type Generatable, generate, wordsOf } from './documents.ts'

/** Measures how much of what documents say comes out of them, in order: `bun bench/ingest/share.ts`. */
const DOCUMENTS = 20

const reader = createLocalReader()
for (const format of GENERATED) {
  const shares: number[] = []
  for (let n = 0; n < DOCUMENTS; n++) shares.push(await shareOf(format, n))
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  console.log(
    `${format}: mean ${percent(mean)}, least ${percent(Math.min(...shares))} of the words of ${DOCUMENTS} documents, in order`,
  )
}

async function shareOf(format: Generatable, n: number): Promise<number> {
  const { bytes, words } = await generate(format, n)
  const texts: string[] = []
  const document = { bytes, format, name: `${n}` }
  await reader.read(
    document,
    async chunks => void texts.push(...chunks.map(({ text }) => text)),
    new AbortController().signal,
  )
  const share = inOrder(words, wordsOf(texts.join('\n'))) / words.length
  if (share < 0.98) console.log(`  ${format} ${n}: ${percent(share)}`)
  return share
}

/** Length of the longest common subsequence of two lists of words. */
function inOrder(expected: readonly string[], found: readonly string[]): number {
  let row = new Uint32Array(found.length + 1)
  for (const word of expected) {
    const next = new Uint32Array(found.length + 1)
    for (let n = 0; n < found.length; n++) {
      next[n + 1] = word === found[n] ? (row[n] ?? 0) + 1 : Math.max(row[n + 1] ?? 0, next[n] ?? 0)
    }
    row = next
  }
  return row[found.length] ?? 0
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}
