import { distinctFacts, type FindFacts, localFacts, localReplies } from 'text-reader/messages'
import { factExtractor } from '../../graph/contract.ts'
import type { Fact, Reading, Window } from '../conversation.ts'
import type { ConversationsScope } from '../scope.ts'
import { type ModelReading, modelFacts } from './model/model-facts.ts'

const LOCAL = 'local'
/** The id of the model that stands for none. */
const noModel = 'none'

/** The part that is read at once; the last turn may have more characters. A longer conversation takes several jobs in sequence. */
export const WINDOW = { turnsMax: 40, charactersMax: 12_000 }
/** The turns before it by which it is understood. */
export const BEFORE = { turnsMax: 6, charactersEach: 1000 }

export interface WindowToRead extends Window {
  /** A language model that is away is waited for when it comes back within this time. */
  readonly modelWaitMs: number
  /** After this time no further part of it is put to the model. */
  readonly askingMs?: number
}

/**
 * Draws the facts of a window: with the language model, and where there is none, it stays away or it has no answer, by local means.
 * @returns `waitMs` alone when the model is away and should be asked again after that time
 */
export async function readWindow(
  { language, wiring, log }: Pick<ConversationsScope, 'language' | 'wiring' | 'log'>,
  workspaceId: string,
  window: WindowToRead,
  signal: AbortSignal,
): Promise<Reading | { readonly waitMs: number }> {
  const { turns, before } = window
  if (turns.length === 0) return { facts: [], extractedBy: [], isProvisional: false }
  const byModel: ModelReading =
    language.modelId === noModel
      ? { facts: [], unread: turns }
      : await modelFacts(language, workspaceId, window, signal, window.askingMs)
  const { awayMs } = byModel
  if (awayMs !== undefined && awayMs <= window.modelWaitMs) return { waitMs: awayMs }
  const { unread } = byModel
  const byHand: Fact[] = await localFacts(unread, factFinder({ wiring, log }, workspaceId, window.userId, signal))
  const open = new Set(unread.map(({ turn }) => turn))
  const replies = (await localReplies([...before, ...turns], turns[0]?.turn)).filter(({ turn }) => open.has(turn))
  for (const reply of replies) byHand.push({ ...reply, saidBy: 'assistant' })
  const extractedBy = [
    ...(unread.length < turns.length ? [language.modelId] : []),
    ...(unread.some(({ role }) => role === 'user') || replies.length > 0 ? [LOCAL] : []),
  ]
  return { facts: inOrder([...byModel.facts, ...byHand]), extractedBy, isProvisional: awayMs !== undefined }
}

/** Facts of the graph's local extractor. Another one asks a model, which is not asked twice. */
function factFinder(
  { wiring, log }: Pick<ConversationsScope, 'wiring' | 'log'>,
  workspaceId: string,
  userId: string,
  signal: AbortSignal,
): FindFacts | undefined {
  const extractor = wiring.find(factExtractor)
  if (extractor?.id !== LOCAL) return undefined
  return async sentences => {
    const createdAt = new Date()
    const texts = sentences.map((text, n) => ({ id: String(n), text, userId, createdAt }))
    try {
      const extractions = await extractor.extract(workspaceId, texts, signal)
      return extractions.map(({ relations }) => relations.length > 0)
    } catch (error) {
      signal.throwIfAborted()
      // It only looks closer at a few sentences; the others are facts without it.
      log.warn({ err: error }, 'the graph could not look at sentences of a conversation')
      return []
    }
  }
}

/** By turn, each once. */
function inOrder(facts: readonly Fact[]): Fact[] {
  return distinctFacts(facts.toSorted((a, b) => a.turn - b.turn))
}
