import type { Steps } from 'mneme/plugin'
import { analysisSteps } from '../analysis/analyze.ts'
import type { SearchEngine, WordDigest } from '../engine/engine.ts'

/** Analyses texts in a language and yields after each one. Only the digests are kept, which bounds the memory of a large batch. */
export function* digestSteps(
  engine: SearchEngine,
  workspaceId: string,
  text: string,
  language: string | undefined,
): Steps<WordDigest> {
  return yield* engine.digest(workspaceId, yield* analysisSteps(text, { language }))
}
