import { type ArchiveSection, archiveSections } from '../../memories/contract.ts'
import { removeSections } from '../queries/pieces.ts'
import { appendPiece, memoriesWritten, removeFirstSeparator } from '../queries/writing.ts'
import { FileSink } from './file-sink.ts'
import type { ExportWriter } from './format.ts'
import type { Run } from './run.ts'
import { scopeOf } from './write-memories.ts'
import { writerOf } from './writers.ts'

const PAGE = 500

/** Counts the records of a file, by their kind. */
export type RecordCounts = ReadonlyMap<string, number>

/** Writes the sections, which follow the memories, over as many states as that takes. */
export class SectionsWriter {
  readonly #counts: Map<string, number>
  readonly #writer: ExportWriter
  readonly #sink: FileSink
  /** Sections that are not written to their end. */
  readonly #left: ArchiveSection[]
  /** The first of them goes on behind this; undefined at its beginning. */
  #after: string | undefined

  constructor({ scope, tenant, target, write }: Run, memories: number) {
    this.#counts = new Map([['memory', memories]])
    this.#writer = writerOf(target.format)
    this.#left = scope.wiring
      .extensions(archiveSections)
      .filter(({ name }) => target.include.includes(name))
      // Exports that were asked for before an upgrade may include sections that tell of all categories.
      .filter(({ heedsCategories }) => target.categories === null || heedsCategories)
    this.#sink = new FileSink(piece =>
      write({ done: sumOf(this.#counts) }, tx => appendPiece(tx, tenant.workspaceId, target, piece)),
    )
  }

  /** Removes what was written behind the memories before. */
  static async begin(run: Run): Promise<SectionsWriter> {
    const { tenant, target, write } = run
    const { workspaceId } = tenant
    const { separator } = writerOf(target.format)
    const memories = await write({}, async tx => {
      await removeSections(tx, workspaceId, [target.id])
      if (separator) await removeFirstSeparator(tx, workspaceId, target, separator)
      return memoriesWritten(tx, workspaceId, target)
    })
    return new SectionsWriter(run, memories)
  }

  get isDone(): boolean {
    return this.#left.length === 0
  }

  get counts(): RecordCounts {
    return this.#counts
  }

  /** Writes on until the time of the state is over, at least a page. */
  async write({ read, until, tenant, target }: Run): Promise<void> {
    for (const section of [...this.#left]) {
      do {
        if (this.#after === undefined) await this.#sink.write(this.#writer.beginSection(section.name))
        const { records, next } = await read(tx =>
          section.page(tx, tenant.workspaceId, scopeOf(target), this.#after, PAGE),
        )
        for (const record of records) {
          await this.#sink.write(this.#writer.record(record))
          this.#counts.set(record.type, (this.#counts.get(record.type) ?? 0) + 1)
        }
        this.#after = next
        if (next === undefined) await this.#end()
        if (performance.now() > until) return
      } while (this.#after !== undefined)
    }
  }

  async #end(): Promise<void> {
    await this.#sink.write(this.#writer.endSection())
    this.#left.shift()
    if (this.isDone) await this.#sink.flush()
  }
}

export function sumOf(counts: RecordCounts): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}
