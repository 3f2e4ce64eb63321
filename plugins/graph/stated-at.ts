import { EARLIEST, parseInstant } from 'mneme/plugin'
import type { MemoryRecord } from '../memories/contract.ts'

/**
 * The instant at which a memory's content was stated. A memory made from a conversation has it in its metadata: for talks that are submitted long
 * afterwards, and perhaps not in their order, "I live in Paris" was true then, and "last year" is counted from then. It cannot be
 * later than the memory, nor before any time that a caller may give; a text that was changed since is as old as its change.
 */
export function statedAt({ revision, metadata, createdAt, updatedAt }: MemoryRecord): Date {
  if (revision !== 1) return updatedAt
  const said = typeof metadata?.said_at === 'string' ? parseInstant(metadata.said_at) : undefined
  return said !== undefined && said >= EARLIEST && said < createdAt ? said : createdAt
}
