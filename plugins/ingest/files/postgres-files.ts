import { Buffer } from 'node:buffer'
import type { Database } from 'mneme/plugin'
import { FileMissingError, type FileStore } from './file-store.ts'

/** Small enough that a statement holds up nobody, large enough that a file takes few of them. */
const PIECE_BYTES = 256 * 1024

/** Keeps files in `ingest.piece`, a short transaction a piece. */
export function createPostgresFiles(database: Database): FileStore {
  const insert = (workspaceId: string, fileId: string, number: number, bytes: Buffer) =>
    database.workspace(workspaceId, async tx => {
      await tx`
        insert into ingest.piece (workspace_id, job_id, number, bytes)
        values (${workspaceId}, ${fileId}, ${number}, ${bytes})
        on conflict on constraint piece_pk do update set bytes = excluded.bytes`
    })
  return {
    async write(workspaceId, fileId, bytes) {
      let size = 0
      let number = 0
      for await (const piece of inPieces(bytes)) {
        await insert(workspaceId, fileId, number++, piece)
        size += piece.byteLength
      }
      return size
    },
    async read(workspaceId, fileId, size) {
      const whole = Buffer.alloc(size)
      let at = 0
      for (let number = 0; at < size; number++) {
        const [piece] = await database.workspace(
          workspaceId,
          tx => tx<{ bytes: Buffer }[]>`
            select piece.bytes
            from ingest.piece
            where piece.workspace_id = ${workspaceId}
              and piece.job_id = ${fileId}
              and piece.number = ${number}`,
        )
        if (!piece || at + piece.bytes.byteLength > size) throw new FileMissingError('the file is no longer there')
        whole.set(piece.bytes, at)
        at += piece.bytes.byteLength
      }
      return whole
    },
    async remove(workspaceId, fileId) {
      await database.workspace(
        workspaceId,
        tx => tx`
          delete from ingest.piece
          where piece.workspace_id = ${workspaceId}
            and piece.job_id = ${fileId}`,
      )
    },
  }
}

async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
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
