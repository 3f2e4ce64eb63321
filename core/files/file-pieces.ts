import { Buffer } from 'node:buffer'
import type { Tenant } from '../auth/caller.ts'
import type { Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'

/**
 * Small enough that a statement holds up nobody, large enough that a file takes few of them. Pieces have this size but for the last,
 * so that a place in the file leads to its piece. Stored files depend on it.
 */
const PIECE_BYTES = 256 * 1024

export interface FilePiecesOptions {
  /**
   * A tenant table of the plugin, as `library.piece`, with the columns `workspace_id uuid`, the one that `key` names, `number integer`,
   * `bytes bytea` and `created_at timestamptz default now()`; the first three are its primary key.
   */
  readonly table: string
  /** Names the column with the file's id, a `uuid`. */
  readonly key: string
}

/** Bytes from `start` up to and without `end`. */
export interface FileRange {
  readonly start: number
  readonly end: number
}

type Workspace = Pick<Tenant, 'workspaceId' | 'transaction'>

/** Files of a plugin in Postgres, where every process can reach them. No more than a piece of one is in memory at a time. */
export interface FilePieces {
  /**
   * Keeps a file as it arrives, each piece in a short transaction of its own. Pieces of an earlier attempt are overwritten; those of an upload
   * that broke off stay until `remove`, or until the plugin's retention removes them by their age.
   * @returns its size in bytes
   * @throws whatever `bytes` fails with
   */
  write(workspace: Workspace, fileId: string, bytes: AsyncIterable<Uint8Array>): Promise<number>
  /**
   * Reads a part of a file, or with `{ start: 0, end: size }` all of it, each piece in a short transaction of its own.
   * @throws FileMissingError when it was removed, or was never stored so far
   */
  read(workspace: Workspace, fileId: string, range: FileRange): AsyncGenerator<Uint8Array>
  /** Removes files in the caller's transaction. */
  remove(tx: Tx, workspaceId: string, fileIds: readonly string[]): Promise<void>
}

/** A file, or a part of one, is not stored. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}

/** Keeps files in the pieces of a plugin's table. */
export function filePieces({ table, key }: FilePiecesOptions): FilePieces {
  return {
    async write({ workspaceId, transaction }, fileId, bytes) {
      let size = 0
      let number = 0
      for await (const piece of inPieces(bytes)) {
        const place = number++
        await transaction(
          tx => tx`
            insert into ${tx(table)} (workspace_id, ${tx(key)}, number, bytes)
            values (${workspaceId}, ${fileId}, ${place}, ${piece})
            on conflict (workspace_id, ${tx(key)}, number) do update
            set bytes = excluded.bytes, created_at = excluded.created_at`,
        )
        size += piece.byteLength
      }
      return size
    },

    async *read({ workspaceId, transaction }, fileId, { start, end }) {
      for (let at = start; at < end; ) {
        const number = Math.floor(at / PIECE_BYTES)
        const [row] = await transaction(
          tx => tx<{ bytes: Uint8Array }[]>`
            select piece.bytes
            from ${tx(table)} as piece
            where piece.workspace_id = ${workspaceId}
              and piece.${tx(key)} = ${fileId}
              and piece.number = ${number}`,
        )
        const begin = number * PIECE_BYTES
        const part = row?.bytes.subarray(at - begin, end - begin)
        if (!part?.byteLength) throw new FileMissingError(`file ${fileId} has no byte ${at}`)
        yield part
        at += part.byteLength
      }
    },

    async remove(tx, workspaceId, fileIds) {
      if (fileIds.length === 0) return
      await tx`
        delete from ${tx(table)} as piece
        where piece.workspace_id = ${workspaceId}
          and piece.${tx(key)} = any (${textArray(fileIds)}::uuid[])`
    },
  }
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.byteLength; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - length)
      waiting.push(part)
      length += part.byteLength
      at += part.byteLength
      if (length < PIECE_BYTES) continue
      yield Buffer.concat(waiting)
      waiting = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.concat(waiting)
}
