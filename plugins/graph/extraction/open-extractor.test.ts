import { describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import {
  type Background,
  type Embedder,
  EmbedderUnavailableError,
  type LanguageModel,
  LanguageModelUnavailableError,
} from 'mneme/plugin'
import { noLanguageModel } from '../../../core/models/language/language-model.ts'
import { extractorConformance, memoryOf } from './extractor.conformance.ts'
import { openExtractor } from './open-extractor.ts'

const { signal } = new AbortController()

/** Sentences about tiles lie with the examples of work, all others nowhere. */
function embedderOf(seen: string[][] = []): Embedder {
  return {
    modelId: 'test/axes',
    dimensions: 2,
    embed: async texts => {
      seen.push([...texts])
      return texts.map(text => ({ vector: vectorOf(text), tokens: 3 }))
    },
    ready: async () => undefined,
  }
}

function vectorOf(text: string): Float32Array {
  return /tiles|deadline/.test(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1)
}

function languageOf(generate: LanguageModel['generate']): LanguageModel {
  return { modelId: 'test/model', available: () => true, generate }
}

const log = { warn: () => undefined }

extractorConformance('the extractor of a server without a language model', async () =>
  openExtractor({ language: noLanguageModel, embedder: embedderOf(), log }),
)

describe('without a language model', () => {
  test('a sentence is filed by the vector of its memory, and nothing but the examples is embedded', async () => {
    const seen: string[][] = []
    const counted: unknown[] = []
    const usage = { tokens: (...all: unknown[]) => void counted.push(all) }
    const extractor = openExtractor({ language: noLanguageModel, embedder: embedderOf(seen), log, usage })
    const memory = memoryOf('The roof gets new tiles in May.', { vector: Float32Array.of(1, 0) })
    const [extraction] = await extractor.extract('w', [memory], signal)
    expect(extraction).toMatchObject({ extractedBy: 'local', statements: [{ category: 'work_context' }] })
    expect(seen).toHaveLength(1)
    await extractor.extract('w', [memoryOf('The roof gets new tiles in May.')], signal)
    expect(seen).toHaveLength(2)
    expect(counted).toEqual([['w', 'embedding', 3]])
  })

  test('the examples, for which all reading waits, do not queue behind documents', async () => {
    const priorities: unknown[] = []
    const { embed, ...rest } = embedderOf()
    const noting: Embedder['embed'] = (texts, options) => {
      priorities.push(options?.priority)
      return embed(texts, options)
    }
    const extractor = openExtractor({ language: noLanguageModel, embedder: { ...rest, embed: noting }, log })
    await extractor.extract('w', [memoryOf('The roof gets new tiles in May.')], signal)
    expect(priorities).toEqual(['query', 'background'])
  })

  test('some memories are read at a time, so that requests go before the others', async () => {
    let pieces = 0
    const background: Background = {
      run(piece) {
        pieces++
        return piece()
      },
    }
    const extractor = openExtractor({ language: noLanguageModel, embedder: embedderOf(), log, background })
    await extractor.extract('w', [memoryOf('Ada lives in Lisbon.')], signal)
    pieces = 0
    const memories = Array.from({ length: 9 }, (_, n) => memoryOf(`Ada bought ${n + 2} lamps.`))
    const extractions = await extractor.extract('w', memories, signal)
    expect(extractions.map(({ memoryId }) => memoryId)).toEqual(memories.map(({ id }) => id))
    expect(pieces).toBe(3)
  })

  test('facts do not wait for an embedder that is away', async () => {
    const lines: unknown[] = []
    const embedder = { ...embedderOf(), embed: () => Promise.reject(new EmbedderUnavailableError('away')) }
    const extractor = openExtractor({
      language: noLanguageModel,
      embedder,
      log: { warn: (...line: unknown[]) => void lines.push(line) },
    })
    const [extraction] = await extractor.extract('w', [memoryOf('The roof gets new tiles in May.')], signal)
    expect(extraction?.statements).toMatchObject([{ category: 'general' }])
    expect(lines).toHaveLength(1)
  })
})

describe('with a language model', () => {
  const text = 'Ada Okafor works at Northwind Labs.'

  test('that is away, local means serve and the memory is marked', async () => {
    const language = languageOf(() => Promise.reject(new LanguageModelUnavailableError('away')))
    const extractor = openExtractor({ language, embedder: embedderOf(), log })
    expect(extractor.id).toBe('test/model')
    const extractions = await extractor.extract('w', [memoryOf(text), memoryOf(' ')], signal)
    expect(extractions.map(({ extractedBy, provisional }) => [extractedBy, provisional])).toEqual([
      ['local', true],
      ['local', undefined],
    ])
  })

  test('what fails for another reason is not hidden', async () => {
    const language = languageOf(() => Promise.reject(new TypeError('a bug')))
    const extractor = openExtractor({ language, embedder: embedderOf(), log })
    expect(extractor.extract('w', [memoryOf(text)], signal)).rejects.toThrow('a bug')
  })
})

test('a server that reads nothing loads none of the packages that hold words', async () => {
  const packages = new Set<string>()
  await collectImports(new URL('./open-extractor.ts', import.meta.url), packages, new Set())
  expect([...packages].filter(name => /wink|chrono/.test(name))).toEqual([])
  expect(packages.has('@sinclair/typebox')).toBe(true)
})

/** The packages that a module and all it imports need at once. */
async function collectImports(module: URL, packages: Set<string>, seen: Set<string>): Promise<void> {
  if (seen.has(module.href)) return
  seen.add(module.href)
  const source = await readFile(module, 'utf8')
  for (const [, names = '', from = ''] of source.matchAll(/^(?:import|export) ([^'()]*?)from '([^']+)'/gm)) {
    if (names.startsWith('type ')) continue
    if (from.startsWith('.')) await collectImports(new URL(from, module), packages, seen)
    else if (from.startsWith('mneme/')) await collectImports(new URL(import.meta.resolve(from)), packages, seen)
    else packages.add(from)
  }
}
