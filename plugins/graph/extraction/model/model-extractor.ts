import { inHalves, type LanguageModel, LanguageModelUnavailableError, languageDetector } from 'mneme/plugin'
import type { Extraction, Extractor, MemoryToExtract } from '../../contract.ts'
import { answerSchema, type MemoryAnswer, OF_CALLER, TASK } from './answer.ts'
import { readAnswer } from './read-answer.ts'

export interface ModelExtractorOptions {
  readonly model: Pick<LanguageModel, 'modelId' | 'available' | 'generate'>
  /** Serves while the model is away, and where it has no usable answer. */
  readonly fallback: Extractor
  /** For everything of one call; what remains is read by the fallback. */
  readonly timeoutMs?: number
}

const MEMORIES_MAX = 10
const CHARACTERS_MAX = 12_000
/** Longer memories are for the fallback: their answer would not fit. */
const TEXT_MAX = 12_000
const OUTPUT_TOKENS = 8_000

/**
 * Asks a language model, several memories a call. Each extraction tells who made it, and what the fallback read because the
 * model was away is marked, to be read again when it is back.
 */
export function createModelExtractor(options: ModelExtractorOptions): Extractor {
  const { model, fallback } = options
  return {
    id: model.modelId,
    async extract(workspaceId, memories, signal) {
      signal.throwIfAborted()
      const done = new Map<string, Extraction>()
      const batches = [...batchesOf(memories)]
      // A memory without a usable completion would fare no better on a retry.
      let answered = 0
      const read = async (part: readonly MemoryToExtract[]) => {
        for (const extraction of await ask(options, workspaceId, part, signal))
          done.set(extraction.memoryId, extraction)
      }
      for (const batch of batches) {
        if (!model.available()) break
        try {
          await inHalves(batch, read)
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof LanguageModelUnavailableError)) throw error
          break
        }
        answered++
      }
      const unanswered = batches.slice(answered).flatMap(batch => batch.map(({ id }) => id))
      const waiting = new Set(unanswered.filter(id => !done.has(id)))
      const left = memories.filter(({ id }) => !done.has(id))
      // Whoever says what to leave out may have meant all of it.
      const bare = memories.filter(({ id, instructions }) => !instructions && isBare(done.get(id)))
      for (const extraction of await readBy(fallback, workspaceId, [...left, ...bare], signal)) {
        const { memoryId } = extraction
        // The model may be right that there is nothing; the facts found locally are kept nevertheless.
        if (done.has(memoryId) && !tellsOf(extraction)) continue
        done.set(memoryId, waiting.has(memoryId) ? { ...extraction, provisional: true } : extraction)
      }
      return memories.flatMap(({ id }) => done.get(id) ?? [])
    },
  }
}

/** Either the model saw nothing in it, or nothing that it said stands in the text. */
function isBare(extraction: Extraction | undefined): boolean {
  return extraction !== undefined && extraction.statements.length === 0 && !tellsOf(extraction)
}

function tellsOf({ relations, endings = [] }: Extraction): boolean {
  return relations.length > 0 || endings.length > 0
}

async function readBy(
  extractor: Extractor,
  workspaceId: string,
  memories: readonly MemoryToExtract[],
  signal: AbortSignal,
): Promise<readonly Extraction[]> {
  return memories.length > 0 ? extractor.extract(workspaceId, memories, signal) : []
}

async function ask(
  { model, timeoutMs }: ModelExtractorOptions,
  workspaceId: string,
  batch: readonly MemoryToExtract[],
  signal: AbortSignal,
): Promise<Extraction[]> {
  const { value } = await model.generate({
    operation: 'enrichment',
    workspaceId,
    system: batch.some(({ instructions }) => instructions) ? `${TASK}\n\n${OF_CALLER}` : TASK,
    input: JSON.stringify(
      batch.map(({ text, createdAt, isDocument, instructions }, n) => {
        const date = createdAt.toISOString().slice(0, 10)
        return { n, date, ...(isDocument ? { document: true } : {}), ...(instructions ? { instructions } : {}), text }
      }),
    ),
    schema: answerSchema,
    maxTokens: OUTPUT_TOKENS,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  const detector = await languageDetector()
  const answers = new Map<number, MemoryAnswer>()
  for (const answer of value.memories) if (!answers.has(answer.n)) answers.set(answer.n, answer)
  return batch.flatMap((memory, n) => {
    const answer = answers.get(n)
    return answer ? [readAnswer(memory, answer, { extractedBy: model.modelId, detector })] : []
  })
}

/** Memories that go in one call. */
function* batchesOf(memories: readonly MemoryToExtract[]): Generator<MemoryToExtract[]> {
  let batch: MemoryToExtract[] = []
  let characters = 0
  for (const memory of memories) {
    if (memory.text.length > TEXT_MAX || memory.text.trim() === '') continue
    if (batch.length === MEMORIES_MAX || (batch.length > 0 && characters + memory.text.length > CHARACTERS_MAX)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(memory)
    characters += memory.text.length
  }
  if (batch.length > 0) yield batch
}
