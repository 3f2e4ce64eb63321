import { createHash } from 'node:crypto'
import type { MemoryRecord } from '../contract.ts'
import { normalizedContent } from './near-duplicate.ts'

/** A hash in hexadecimal; only equality is meaningful. */
export type Likeness = string

/**
 * Hashes the user, the agent and the normalized text with SHA-256, so that near-duplicates of one user and agent have equal keys. Undefined
 * for memories that are never merged: document chunks and imports, which bring their own ids, and texts without content.
 */
export function likenessOf({ text, userId, agentId, layer, expiresAt, source }: MemoryRecord): Likeness | undefined {
  if (source === 'INGEST' || source === 'IMPORT') return undefined
  const content = normalizedContent(text)
  if (content === undefined) return undefined
  // The expiry is part of the key: a memory that expires at another time, or never, must not disappear with another one.
  const identity = JSON.stringify([userId, agentId, layer, expiresAt?.getTime() ?? null, content])
  return createHash('sha256').update(identity, 'utf8').digest('hex')
}
