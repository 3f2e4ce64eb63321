/**
 * Facts of texts: people, organizations, places and things, and how they relate. What is heavy, the models and the lists of names, is
 * loaded by {@link openFactReader} alone.
 */
import { languageDetector } from '../detection.ts'
import type { FactReader, Steps } from './read-facts.ts'

export { fold, loadGazetteers } from './gazetteers.ts'
export * from './kinds.ts'
export { LANGUAGES, type Language, userIn } from './parts.ts'
export { isToCome, RECENT_MS, readTime, type ToldTime } from './told-time.ts'
export type { FactReader, Steps }

/** Together they take a third of a second to load, the longest a tenth. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('wink-eng-lite-web-model'),
  () => import('wink-nlp'),
  () => import('chrono-node/en'),
  () => import('chrono-node/de'),
  () => import('chrono-node/es'),
  () => import('chrono-node/fr'),
  languageDetector,
  () => import('./units.ts'),
]

/** @param run loads one part, when the caller has time for it */
export async function openFactReader(
  run: <T>(load: () => Promise<T>) => Promise<T> = load => load(),
): Promise<FactReader> {
  for (const load of PARTS) await run<unknown>(load)
  return await run(async () => (await import('./read-facts.ts')).createFactReader())
}
