import type { ArchivedEvent, ArchivedMemory, ArchiveRecord } from '../../memories/contract.ts'

/** Every export begins with this. */
export interface Manifest {
  readonly format: 'mneme-archive'
  readonly version: 1
  readonly exported_at: string
  readonly workspace: { readonly id: string; readonly name: string }
  readonly user_id: string | null
  readonly categories: readonly string[] | null
  readonly include: readonly string[]
}

/** Every export ends with this: the number of records of each type. */
export type Counts = Readonly<Record<string, number>>

/**
 * Writes records as text. The caller asks for the parts in order: `begin`, all memories, each section with its records, `end`; what the
 * parts return, put together, is the file.
 */
export interface ExportWriter {
  readonly contentType: string
  readonly extension: string
  /** Stands before each memory; the file's first one has a space in its place. */
  readonly separator?: string
  begin(manifest: Manifest): string
  memory(memory: ArchivedMemory): string
  /** More of the history of the memory before it. A format without it needs no histories at all. */
  history?(id: string, events: readonly ArchivedEvent[]): string
  /** A section that the format has no place for is left out. */
  beginSection(name: string): string
  record(record: ArchiveRecord): string
  endSection(): string
  /** @param sha256 of everything before, in hex */
  end(counts: Counts, sha256: string): string
}
