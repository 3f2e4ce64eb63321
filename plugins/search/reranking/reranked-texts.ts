import { RERANK_TEXT_CHARS_MAX } from 'mneme/plugin'
import type { ListedMemory } from '../../memories/contract.ts'
import type { NearPassage, Passages } from '../engine/engine.ts'
import type { Ranked } from '../ranking/rank.ts'

/** Returns what the reranker reads of each result: a long text around its nearest passage, any other from its beginning. */
export function rerankedTexts(
  results: readonly Ranked[],
  memories: ReadonlyMap<string, ListedMemory>,
  passages: Passages,
): ReadonlyMap<string, string> {
  return new Map(
    results.flatMap(({ candidate: { memoryId } }) => {
      const memory = memories.get(memoryId)
      return memory ? [[memoryId, excerpt(memory.memory, passages.get(memoryId))] as const] : []
    }),
  )
}

function excerpt(text: string, passage: NearPassage | undefined): string {
  if (!passage) return text
  const centred = Math.round((passage.start + passage.end - RERANK_TEXT_CHARS_MAX) / 2)
  const from = Math.max(0, Math.min(centred, text.length - RERANK_TEXT_CHARS_MAX))
  return text.slice(from, from + RERANK_TEXT_CHARS_MAX)
}
