import { setImmediate } from 'node:timers/promises'
import { type Background, held, inParts, paced, type Steps } from 'mneme/plugin'
import { type FactReader, openFactReader, type ReadText } from 'text-reader/facts'
import { filedByHints, type Hints } from 'text-reader/facts/kinds'
import { TEXT_MAX } from '../../memories/contract.ts'
import {
  type ExtractedStatement,
  type Extraction,
  type Extractor,
  LOCAL_ID,
  type MemoryToExtract,
  type StatementCategory,
} from '../contract.ts'

/** A sentence that neither its facts nor its words file by themselves. */
export interface OpenSentence {
  readonly text: string
  readonly hints: Hints
  /** The vector of a text on the same subject; undefined where none is known. */
  readonly vector: Float32Array | undefined
}

/** Files sentences under categories; given by whoever has an embedder, so that extraction itself needs none. */
export type Categorize = (
  sentences: readonly OpenSentence[],
  about: { readonly workspaceId: string; readonly signal: AbortSignal },
) => Promise<readonly { readonly category: StatementCategory; readonly confidence: number }[]>

/** Sentences of one memory that are embedded; a long text's others go by the whole text. */
const EMBEDDED_MAX = 16

export interface LocalExtractorOptions {
  /** For statements whose category their facts do not tell; without it they are `general`. */
  readonly categorize?: Categorize
  /** Runs the reading behind requests; without it nothing has precedence. */
  readonly background?: Background
}

/** Where no request has to go before. */
const AT_ONCE: Background = { run: piece => piece() }

/** Memories of one piece of reading, which keeps the thread busy. */
const BATCH = 4

/**
 * Reads memories with `text-reader`: no model, no network, the same answer every time. Its lists are loaded with the first text, and the
 * event loop turns between sentences.
 */
export function createLocalExtractor({ categorize, background = AT_ONCE }: LocalExtractorOptions = {}): Extractor {
  let opening: ReturnType<typeof open> | undefined
  return {
    id: LOCAL_ID,
    async extract(workspaceId, memories, signal) {
      signal.throwIfAborted()
      if (memories.length === 0) return []
      opening ??= open(background).catch(error => {
        opening = undefined
        throw error
      })
      const { reader } = await opening
      const all: Extraction[] = []
      for (const some of inParts(memories, BATCH)) {
        all.push(
          ...(await background.run(async () => {
            const read = await paced(readAll(reader, some, signal))
            return extractionsOf(read, await fileStatements(read, categorize, { workspaceId, signal }))
          })),
        )
        await setImmediate()
      }
      return all
    },
  }
}

/** Returns what is held as well: nobody would count it once nobody keeps it. */
async function open(background: Background) {
  const reader = await openFactReader(async load => {
    const loaded = await background.run(load)
    await setImmediate()
    return loaded
  })
  return { reader, newWords: held({ name: 'graph.new_words', ...reader.newWords }) }
}

interface ReadMemory extends ReadText {
  readonly memory: MemoryToExtract
}

function* readAll(reader: FactReader, memories: readonly MemoryToExtract[], signal: AbortSignal): Steps<ReadMemory[]> {
  const all: ReadMemory[] = []
  for (const memory of memories) {
    const steps = reader.read({ ...memory, text: memory.text.slice(0, TEXT_MAX) })
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) {
      yield
      signal.throwIfAborted()
    }
    all.push({ memory, ...step.value })
  }
  return all
}

function extractionsOf(read: readonly ReadMemory[], statements: readonly ExtractedStatement[][]): Extraction[] {
  return read.map(({ memory, entities, relations, endings }, i) => ({
    memoryId: memory.id,
    extractedBy: LOCAL_ID,
    entities,
    relations,
    ...(endings.length > 0 ? { endings } : {}),
    statements: statements[i] ?? [],
  }))
}

/**
 * The statements of each memory with their categories: by the facts in them where these tell, else as `categorize` says, which is
 * asked once about all of them.
 */
async function fileStatements(
  read: readonly ReadMemory[],
  categorize: Categorize | undefined,
  about: Parameters<Categorize>[1],
): Promise<ExtractedStatement[][]> {
  const open = new Map<ReadText['kept'][number], OpenSentence>()
  for (const { memory, kept } of read) {
    const unknown = kept.filter(({ category }) => category === undefined)
    const whole = memory.vector
    for (const [n, statement] of unknown.entries()) {
      const isAlone = unknown.length === 1 || n >= EMBEDDED_MAX
      if (n < EMBEDDED_MAX || whole)
        open.set(statement, { text: statement.text, hints: statement.hints, vector: isAlone ? whole : undefined })
    }
  }
  const answers = open.size > 0 && categorize ? await categorize([...open.values()], about) : []
  const found = new Map([...open.keys()].map((statement, i) => [statement, answers[i]?.category]))
  return read.map(({ kept }) =>
    kept.map(statement => {
      const { hints, ...rest } = statement
      return { ...rest, category: statement.category ?? found.get(statement) ?? filedByHints(hints) }
    }),
  )
}
