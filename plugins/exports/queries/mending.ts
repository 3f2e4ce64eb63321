import { type Tx, textArray } from 'mneme/plugin'
import type { Export } from '../job.ts'
import type { Piece } from '../writing/file-sink.ts'
import { emptied, emptyOutdated } from './deletions.ts'
import { NUMBERS_APART } from './writing.ts'

/** A place in the file for memories that are written again. */
export interface Place {
  readonly number: number
  /** The last memory of the piece before; null for the first piece of memories. */
  readonly after: string | null
  readonly lastMemoryId: string
  /** Further pieces have numbers below this one. */
  readonly next: number
}

/** Puts new text into an emptied place, or one between; see {@link appendPiece}. */
export async function refillPiece(
  tx: Tx,
  workspaceId: string,
  target: Export,
  { number, lastMemoryId }: Place,
  piece: Pick<Piece, 'text' | 'memoryIds' | 'memories'>,
): Promise<void> {
  const { id, writing } = target
  await tx`
    insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids, last_memory_id, memories)
    values (${workspaceId}, ${id}, ${writing}, ${number}, convert_to(${piece.text}::text, 'UTF8'),
      ${textArray(piece.memoryIds)}::uuid[], ${lastMemoryId}, ${piece.memories})
    on conflict (workspace_id, export_id, writing, number) do update
    set bytes = excluded.bytes, memory_ids = excluded.memory_ids, last_memory_id = excluded.last_memory_id,
      memories = excluded.memories, is_emptied = false`
  await emptyOutdated(tx, workspaceId, target, number)
}

/** Empties pieces that are about to be written again together, so that all of them count as missing until the first is there. */
export async function emptyPlaces(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  places: readonly Place[],
): Promise<void> {
  const numbers = places.map(({ number }) => String(number))
  await tx`
    update exports.export_piece
    set ${emptied(tx)}
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
      and export_piece.number = any (${textArray(numbers)}::int[])`
}

/** The emptied pieces, and all others of the same last memory: these are written again together. */
export async function emptiedPieces(tx: Tx, workspaceId: string, { id, writing }: Export): Promise<Place[]> {
  return tx<Place[]>`
    select piece.number, piece.after, piece.last_memory_id as "lastMemoryId", piece.next
    from (
      select export_piece.number, export_piece.last_memory_id,
        bool_or(export_piece.is_emptied) over (partition by export_piece.last_memory_id) as is_emptied,
        lag(export_piece.last_memory_id) over (order by export_piece.number) as after,
        lead(export_piece.number, 1, export_piece.number + ${NUMBERS_APART}::int) over (order by export_piece.number) as next
      from exports.export_piece
      where export_piece.workspace_id = ${workspaceId}
        and export_piece.export_id = ${id}
        and export_piece.writing = ${writing}
        and export_piece.last_memory_id is not null
    ) as piece
    where piece.is_emptied
    order by piece.number`
}
