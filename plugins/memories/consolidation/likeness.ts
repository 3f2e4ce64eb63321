import { createHash } from 'node:crypto'
import type { MemoryRecord } from '../contract.ts'
import { contentOf } from './judge.ts'

/** In hexadecimal; only equality means something. */
export type Likeness = string

/**
 * Equal for near-duplicates of the same user and agent: the SHA-256 of both and of what the text says. Undefined for memories
 * that are never merged: chunks of a document and what was imported, which come with their own ids, and texts without content.
 */
export function likenessOf({ text, userId, agentId, layer, expiresAt, source }: MemoryRecord): Likeness | undefined {
  if (source === 'INGEST' || source === 'IMPORT') return undefined
  const content = contentOf(text)
  if (content === undefined) return undefined
  // What expires at another time, or never, lives on its own.
  const identity = JSON.stringify([userId, agentId, layer, expiresAt?.getTime() ?? null, content])
  return createHash('sha256').update(identity, 'utf8').digest('hex')
}
