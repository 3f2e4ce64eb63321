import type { Embedder } from 'mneme/plugin'

/** Names what made a vector. Vectors can be compared only when it is the same: one model may give several lengths. */
export function vectorModel({ modelId, dimensions }: Pick<Embedder, 'modelId' | 'dimensions'>): string {
  return `${modelId}#${dimensions}`
}
