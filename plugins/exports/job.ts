import type { NewJob } from 'mneme/plugin'

export const FORMATS = ['JSONL', 'JSON', 'CSV', 'MARKDOWN'] as const
export type Format = (typeof FORMATS)[number]

export const STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type Status = (typeof STATUSES)[number]

/** Words of what an export includes beside the sections of plugins. */
export const MEMORIES = 'memories'
export const HISTORY = 'history'

/** The file of an export can be downloaded for so long. */
export const FILE_DAYS = 7

export interface Export {
  readonly id: string
  readonly format: Format
  readonly userId: string | null
  readonly categories: readonly string[] | null
  readonly include: readonly string[]
  readonly status: Status
  readonly total: number | null
  readonly done: number
  readonly size: number | null
  readonly sha256: string | null
  /** Grows with each time that the file is begun; its pieces have this number. */
  readonly writing: number
  /** Grows with each run that writes; what an earlier one still does has no effect. */
  readonly run: number
  /** All memories are in the file: pieces that deletions emptied, the sections and the end may be missing. */
  readonly hasMemories: boolean
  /** The newest memory when the file was begun; null before that, and for a file without memories. */
  readonly upTo: string | null
  /** All memories up to this one are in the file. */
  readonly writtenTo: string | null
  readonly error: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date | null
}

/** A line or an item of a file that could not be read. */
export interface ImportFault {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export interface Import {
  readonly id: string
  /** The shape that the file turned out to have. */
  readonly format: string | null
  readonly userId: string
  readonly fileName: string | null
  readonly size: number
  readonly status: Status
  /** The byte of the file where reading goes on. */
  readonly position: number
  readonly lines: number
  readonly created: number
  readonly skipped: number
  /** Memories whose time was over, and facts that their service says are no longer true. */
  readonly expired: number
  readonly failed: number
  readonly restored: number
  /** Memories whose processing failed for good. */
  readonly unprocessed: number
  readonly faults: readonly ImportFault[]
  readonly error: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An import whose file is being read. */
export interface ImportUnderWay extends Import {
  /** The list of a document that stands at the position; empty for its own. */
  readonly list: string
}

/** One job of a kind and workspace at a time, over all processes, so that nobody's archives crowd out others'. */
export function writeJob(workspaceId: string, id: string, inMs = 0): NewJob {
  return {
    task: 'exports:write',
    payload: { workspace_id: workspaceId, export_id: id },
    key: `exports:write:${workspaceId}:${id}`,
    limit: { key: `exports:write:${workspaceId}`, max: 1 },
    priority: 2,
    inMs,
  }
}

export const REMOVE = 'exports:remove'

/** Removes the file of an export that was deleted or has failed. */
export function removeJob(workspaceId: string, id: string): NewJob {
  return {
    task: REMOVE,
    payload: { workspace_id: workspaceId, export_id: id },
    key: `${REMOVE}:${workspaceId}:${id}`,
    priority: 2,
  }
}

export function importJob(workspaceId: string, id: string, inMs = 0): NewJob {
  return {
    task: 'exports:import',
    payload: { workspace_id: workspaceId, import_id: id },
    key: `exports:import:${workspaceId}:${id}`,
    limit: { key: `exports:import:${workspaceId}`, max: 1 },
    priority: 2,
    inMs,
  }
}
