import type { Steps } from 'mneme/plugin'
import { analysisSteps } from '../analysis/analyze.ts'
import type { SearchEngine, WordDigest } from '../engine/engine.ts'

/** Reads a text in a language. The analysis is let go text by text: of a large batch only the digests are kept. */
export function* digestSteps(
  engine: SearchEngine,
  workspaceId: string,
  text: string,
  language: string | undefined,
): Steps<WordDigest> {
  return yield* engine.digest(workspaceId, yield* analysisSteps(text, { language }))
}
