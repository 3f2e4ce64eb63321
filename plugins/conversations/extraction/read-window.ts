import { factExtractor } from '../../graph/contract.ts'
import type { Fact, Reading, Window } from '../conversation.ts'
import type { ConversationsScope } from '../scope.ts'
import { type FindFacts, localFacts } from './local/local-facts.ts'
import { modelFacts } from './model/model-facts.ts'

const LOCAL = 'local'

/** Draws the facts of a window: with the language model, and where there is none, it is away or it has no answer, by local means. */
export async function readWindow(
  { language, wiring, log }: Pick<ConversationsScope, 'language' | 'wiring' | 'log'>,
  workspaceId: string,
  window: Window,
  signal: AbortSignal,
): Promise<Reading> {
  const spoken = window.turns.filter(({ role }) => role === 'user')
  if (spoken.length === 0) return { facts: [], extractedBy: [] }
  const byModel = language.available()
    ? await modelFacts(language, workspaceId, window, signal)
    : { facts: [], unread: spoken }
  const byHand = await localFacts(byModel.unread, factFinder({ wiring, log }, workspaceId, window.userId, signal))
  const extractedBy = [
    ...(byModel.unread.length < spoken.length ? [language.modelId] : []),
    ...(byModel.unread.length > 0 ? [LOCAL] : []),
  ]
  return { facts: inOrder([...byModel.facts, ...byHand]), extractedBy }
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

/** By turn; the same words twice are one fact. */
function inOrder(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>()
  const first = facts.toSorted((a, b) => a.turn - b.turn).filter(({ text }) => !seen.has(text) && seen.add(text))
  return first
}
