import { EARLIEST, parseInstant } from 'mneme/plugin'
import type { MemoryRecord } from './record.ts'

/** Metadata that the service itself gives to a memory of a conversation: where and when it was said. */
export const CONVERSATION_KEYS: ReadonlySet<string> = new Set(['conversation_id', 'turn', 'role', 'said_at', 'said_by'])

/** The fields of a memory that tell when it was said. */
type Stated = Pick<MemoryRecord, 'metadata' | 'createdAt' | 'textChangedAt'>

/**
 * The instant at which a memory's content was stated. A memory made from a conversation has it in its metadata: for talks that are submitted long
 * afterwards, and perhaps not in their order, "I live in Paris" was true then, and "last year" is counted from then. It cannot be
 * later than the memory, nor before any time that a caller may give; a text that was changed since is as old as its change.
 */
export function statedAt({ metadata, createdAt, textChangedAt }: Stated): Date {
  if (textChangedAt) return textChangedAt
  const said = typeof metadata?.said_at === 'string' ? parseInstant(metadata.said_at) : undefined
  return said !== undefined && said >= EARLIEST && said < createdAt ? said : createdAt
}

/** Tells whether a memory holds what an assistant said: it makes no fact about the user, and takes the place of none. */
export function isOfAssistant({ metadata }: Pick<MemoryRecord, 'metadata'>): boolean {
  return metadata?.said_by === 'assistant'
}
