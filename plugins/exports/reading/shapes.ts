import { compileValidator } from 'mneme/plugin'
import {
  type ArchivedHistory,
  type ArchivedMemory,
  type ArchiveRecord,
  archivedHistory,
  archivedMemory,
} from '../../memories/contract.ts'

/** Holds the content of a file's item, or says why it is left out or cannot be read. */
export type Reading =
  | { readonly memory: ArchivedMemory; readonly isForeign: boolean }
  | { readonly history: ArchivedHistory }
  | { readonly record: ArchiveRecord }
  | { readonly fault: string }
  /** A fact that its service says is no longer true. */
  | { readonly expired: true }
  | { readonly skip: true }

export type Fields = Readonly<Record<string, unknown>>

const memoryValidator = compileValidator(archivedMemory)
const historyValidator = compileValidator(archivedHistory)

/** A memory of this service's own archive. */
export function readArchived(value: unknown): Reading {
  // Earlier archives say `kept_apart`, which now holds for all that is imported.
  const { type: _, kept_apart: _keptApart, ...memory } = fieldsOf(value) ?? {}
  if (memory.layer !== 'TASK' && memory.expires_at !== null) return { fault: 'expires_at is for the layer TASK alone' }
  const [fault] = memoryValidator.faults(memory)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  return { memory: memory as ArchivedMemory, isForeign: false }
}

/** More of the history of the memory before it. */
export function readHistory(value: unknown): Reading {
  const { type: _, ...history } = fieldsOf(value) ?? {}
  const [fault] = historyValidator.faults(history)
  return fault ? { fault: `${fault.path} ${fault.message}` } : { history: history as ArchivedHistory }
}

export function isArchived(value: unknown): boolean {
  const fields = fieldsOf(value)
  return fields !== undefined && 'memory' in fields && 'layer' in fields && 'revision' in fields
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
