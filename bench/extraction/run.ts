/**
 * Measures how well facts are drawn from texts, on one part of the labelled set; cost.ts measures the cost.
 *
 *   bun bench/extraction/run.ts --half dev [--faults]
 *   bun bench/extraction/run.ts --half held-out
 *   bun bench/extraction/run.ts --half rough [--faults]
 *   bun bench/extraction/run.ts --half rough-held-out
 *   bun bench/extraction/run.ts --half wild-dev [--faults]
 *   bun bench/extraction/run.ts --half wild-held-out
 */
import { parseArgs } from 'node:util'
import { createEmbedder } from '../../core/models/create-embedder.ts'
import { noLanguageModel } from '../../core/models/language/language-model.ts'
import type { Extraction, MemoryToExtract } from '../../plugins/graph/contract.ts'
import { openExtractor } from '../../plugins/graph/extraction/open-extractor.ts'
import { HALVES, type Labelled, readHalf } from './labelled.ts'
import { type Compared, compare } from './score.ts'

const { values } = parseArgs({
  options: { half: { type: 'string', default: 'dev' }, faults: { type: 'boolean', default: false } },
})
const half = HALVES.find(name => name === values.half)
if (!half) throw new Error(`--half is one of ${HALVES.join(', ')}`)
const createdAt = new Date('2026-06-15T12:00:00Z')
const embedder = await createEmbedder({ kind: 'local' })
const extractor = openExtractor({ language: noLanguageModel, embedder, log: console })
const items = await readHalf(half)
const memories = items.map(({ text }, i): MemoryToExtract => ({ id: `m${i}`, text, userId: 'user-1', createdAt }))
const extractions = await extractor.extract('bench', memories, AbortSignal.timeout(120_000))
const compared = items.flatMap((item, i) => {
  const extraction = extractions[i]
  return extraction ? [{ item, extraction, result: compare(item, extraction) }] : []
})

// Nobody may look at faults of single items of the held-out parts.
if (values.faults && !half.endsWith('held-out')) for (const { item, result } of compared) printFaults(item, result)

const entities = scoreOf(compared.map(({ result }) => result.entities))
const relations = scoreOf(compared.map(({ result }) => result.relations))
const entityCount = compared.reduce(
  (sum, { result }) => sum + result.entities.right.length + result.entities.wrong.length,
  0,
)
const junk = compared.reduce((sum, { result }) => sum + result.junk.length, 0)
const dated = compared.reduce((sum, { result }) => sum + result.dates.labelled, 0)
const dates = compared.reduce((sum, { result }) => sum + result.dates.right, 0)

console.log(`${half}: ${items.length} texts`)
console.log(`entities   precision ${entities.precision}  recall ${entities.recall}  F1 ${entities.f1}`)
console.log(`relations  precision ${relations.precision}  recall ${relations.recall}  F1 ${relations.f1}`)
console.log(`junk       ${((100 * junk) / Math.max(1, entityCount)).toFixed(1)} % of ${entityCount} entities`)
console.log(`dates      ${dates} of ${dated} right`)
console.log(`statements ${statementScore(compared)}`)
await embedder.close()

function scoreOf(counts: readonly { right: string[]; wrong: string[]; missed: string[] }[]) {
  const sum = (pick: (count: { right: string[]; wrong: string[]; missed: string[] }) => string[]) =>
    counts.reduce((total, count) => total + pick(count).length, 0)
  const right = sum(({ right }) => right)
  const precision = right / Math.max(1, right + sum(({ wrong }) => wrong))
  const recall = right / Math.max(1, right + sum(({ missed }) => missed))
  const f1 = (2 * precision * recall) / Math.max(1e-9, precision + recall)
  return { precision: precision.toFixed(3), recall: recall.toFixed(3), f1: f1.toFixed(3) }
}

/** Counts how often it agrees about what is worth keeping, and then about where it is filed. */
function statementScore(all: readonly { item: Labelled; extraction: Extraction }[]): string {
  const agreed = all.filter(({ item, extraction }) => (item.category !== null) === extraction.statements.length > 0)
  const kept = all.filter(({ item, extraction }) => item.category !== null && extraction.statements.length > 0)
  const filed = kept.filter(({ item, extraction }) =>
    extraction.statements.some(({ category }) => category === item.category),
  )
  return `worth keeping agreed ${agreed.length}/${all.length}, category agreed ${filed.length}/${kept.length}`
}

function printFaults({ text }: Labelled, { entities, relations, junk }: Compared): void {
  const faults = [
    ...entities.missed.map(name => `  - ${name}`),
    ...entities.wrong.map(name => `  + ${name}${junk.some(other => name.startsWith(other)) ? ' (junk)' : ''}`),
    ...relations.missed.map(key => `  < ${key}`),
    ...relations.wrong.map(key => `  > ${key}`),
  ]
  if (faults.length > 0) console.log([text, ...faults].join('\n'))
}
