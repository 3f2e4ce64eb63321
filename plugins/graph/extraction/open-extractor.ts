import {
  type Background,
  type Embedder,
  EmbedderInputError,
  EmbedderUnavailableError,
  type LanguageModel,
  type Logger,
  type UsageMeter,
} from 'mneme/plugin'
import { filedByHints } from 'text-reader/facts/kinds'
import type { Extractor } from '../contract.ts'
import { type Categorize, createLocalExtractor } from './local-extractor.ts'
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

/**
 * The extractor in use: the language model with the local one behind it, or the local one alone where no model is configured.
 * Nothing heavy is loaded before the first text.
 */
export function openExtractor(parts: OpenExtractorParts): Extractor {
  const { language, embedder, log, usage, background } = parts
  const local = createLocalExtractor({
    categorize: createCategorize(embedder, log, usage),
    ...(background ? { background } : {}),
  })
  if (language.modelId === 'none') return local
  return createModelExtractor({ model: language, fallback: local })
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
