import { setImmediate } from 'node:timers/promises'
import {
  type Background,
  type Embedder,
  EmbedderInputError,
  EmbedderUnavailableError,
  inParts,
  type LanguageModel,
  type Logger,
  languageDetector,
  type UsageMeter,
} from 'mneme/plugin'
import { type Extraction, type Extractor, LOCAL_ID } from '../contract.ts'
import { filedByHints } from './hints.ts'
import type { Categorize } from './local/statements.ts'
import { createModelExtractor } from './model/model-extractor.ts'
import { createZeroShot } from './zero-shot.ts'

export interface OpenExtractorParts {
  readonly language: LanguageModel
  readonly embedder: Embedder
  readonly log: Pick<Logger, 'warn'>
  /** Counts what is embedded for a workspace, where given. */
  readonly usage?: Pick<UsageMeter, 'tokens'>
  /** Runs local reading behind requests; without it nothing has precedence. */
  readonly background?: Background
}

/** Where no request has to go before. */
const AT_ONCE: Background = { run: piece => piece() }

/** Memories of one piece of local reading, which keeps the thread busy. */
const LOCAL_BATCH = 4

/**
 * The extractor in use: the language model with the local one behind it, or the local one alone where no model is configured.
 * Nothing heavy is loaded before the first text.
 */
export function openExtractor(parts: OpenExtractorParts): Extractor {
  const { language, embedder, log, usage, background = AT_ONCE } = parts
  const local = createLazyLocal(createCategorize(embedder, log, usage), background)
  if (language.modelId === 'none') return local
  return createModelExtractor({ model: language, fallback: local })
}

function createLazyLocal(categorize: Categorize, background: Background): Extractor {
  let opening: Promise<Extractor> | undefined
  return {
    id: LOCAL_ID,
    async extract(workspaceId, memories, signal) {
      signal.throwIfAborted()
      opening ??= openLocal(categorize, background).catch(error => {
        opening = undefined
        throw error
      })
      const extractor = await opening
      const all: Extraction[] = []
      for (const some of inParts(memories, LOCAL_BATCH)) {
        all.push(...(await background.run(() => extractor.extract(workspaceId, some, signal))))
        await setImmediate()
      }
      return all
    },
  }
}

/** Together they take a third of a second to load, the longest a tenth: each when no request is under way. */
async function openLocal(categorize: Categorize, background: Background): Promise<Extractor> {
  const parts = [
    () => import('wink-eng-lite-web-model'),
    () => import('wink-nlp'),
    () => import('chrono-node/en'),
    () => import('chrono-node/de'),
    () => import('chrono-node/es'),
    () => import('chrono-node/fr'),
    languageDetector,
    () => import('./local/units.ts'),
  ]
  for (const load of parts) {
    await background.run<unknown>(load)
    await setImmediate()
  }
  const { createLocalExtractor } = await background.run(() => import('./local/local-extractor.ts'))
  return createLocalExtractor({ categorize })
}

/** Facts do not wait for categories: without the embedder sentences are filed by their facts and words alone. */
function createCategorize(
  embedder: Embedder,
  log: Pick<Logger, 'warn'>,
  usage: Pick<UsageMeter, 'tokens'> | undefined,
): Categorize {
  const zeroShot = createZeroShot(async (texts, { workspaceId, signal }) => {
    // All reading waits for the examples, once in a process: amid an import they would time out behind its texts, at the cost of a memory.
    const priority = workspaceId === undefined ? 'query' : 'background'
    const made = await embedder.embed(texts, { priority, signal })
    const tokens = made.reduce((sum, embedding) => sum + embedding.tokens, 0)
    if (workspaceId !== undefined && tokens > 0) usage?.tokens(workspaceId, 'embedding', tokens)
    return made.map(({ vector }) => vector)
  })
  return async (sentences, about) => {
    try {
      return await zeroShot(sentences, about)
    } catch (error) {
      about.signal.throwIfAborted()
      if (!(error instanceof EmbedderUnavailableError || error instanceof EmbedderInputError)) throw error
      log.warn({ err: error }, 'sentences are filed by their words alone, for the embedder did not serve')
      return sentences.map(({ hints }) => ({ category: filedByHints(hints), confidence: 0 }))
    }
  }
}
