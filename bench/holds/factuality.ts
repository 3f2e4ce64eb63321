/**
 * Measures what is taken for a fact of what is only thought, wished, dreamt, denied or told as a story. The sentences were written by somebody who did
 * not know the rules. No language model.
 *
 *   bun bench/holds/factuality.ts [SENTENCES.json] [--faults]
 *
 * `names` are what an unreal sentence may connect with nobody, and what a sentence of the kind `real` connects.
 */
import { readFileSync } from 'node:fs'
import { createEmbedder } from '../../core/models/create-embedder.ts'
import { noLanguageModel } from '../../core/models/language/language-model.ts'
import type { Extraction, MemoryToExtract } from '../../plugins/graph/contract.ts'
import { openExtractor } from '../../plugins/graph/extraction/open-extractor.ts'
import { report } from '../support/measure.ts'

interface Sentence {
  readonly text: string
  readonly kind: string
  readonly names: readonly string[]
  readonly language: string
}

const [file = new URL('./factuality.json', import.meta.url).pathname] = process.argv
  .slice(2)
  .filter(name => !name.startsWith('--'))
const showsFaults = process.argv.includes('--faults')
const sentences: readonly Sentence[] = JSON.parse(readFileSync(file, 'utf8'))
const createdAt = new Date('2026-06-15T12:00:00Z')
const embedder = await createEmbedder({ kind: 'local' })
const extractor = openExtractor({ language: noLanguageModel, embedder, log: console })
const memories = sentences.map(({ text }, i): MemoryToExtract => ({ id: `m${i}`, text, userId: 'user-1', createdAt }))
const extractions = await extractor.extract('bench', memories, AbortSignal.timeout(300_000))
const judged = sentences.map((sentence, i) => ({ sentence, told: relationsOf(extractions[i], sentence.names) }))
const unreal = judged.filter(({ sentence }) => sentence.kind !== 'real')
const real = judged.filter(({ sentence }) => sentence.kind === 'real')
if (showsFaults)
  for (const { sentence, told } of judged)
    if ((sentence.kind === 'real') !== told.length > 0)
      console.log(`${sentence.kind}: ${sentence.text}\n    ${told.join(', ')}`)
const share = (name: string, part: readonly unknown[], whole: readonly unknown[], target = '') =>
  report(`${name} (${part.length} of ${whole.length})`, (100 * part.length) / whole.length, '%', target)
share(
  'unreal: make a false relation',
  unreal.filter(({ told }) => told.length > 0),
  unreal,
  'at most 3',
)
share(
  'real: make a relation',
  real.filter(({ told }) => told.length > 0),
  real,
)
await embedder.close()

/** The relations that hold and have one of the names at an end. */
function relationsOf(extraction: Extraction | undefined, names: readonly string[]): string[] {
  if (!extraction) return []
  return extraction.relations
    .filter(({ closes }) => !closes)
    .map(({ source, type, target }) => `${nameOf(extraction, source)} ${type} ${nameOf(extraction, target)}`)
    .filter(told => names.some(name => told.toLowerCase().includes(name.toLowerCase())))
}

function nameOf({ entities }: Extraction, index: number): string {
  return entities[index]?.name ?? ''
}
