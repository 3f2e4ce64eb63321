import { Buffer } from 'node:buffer'
import type { Tenant } from 'mneme/plugin'
import { insertFilePiece, readFilePiece } from '../queries/imports.ts'

/** Pieces have one size, but for the last, so that a place in the file leads to its piece. */
export const PIECE_BYTES = 256 * 1024

/**
 * Keeps a file as it arrives, each piece in a short transaction of its own.
 * @returns its size in bytes
 */
export async function keepFile(tenant: Tenant, id: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let number = 0
  let size = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  const keep = async (piece: Uint8Array) => {
    await tenant.transaction(tx => insertFilePiece(tx, tenant.workspaceId, id, number++, piece))
    size += piece.byteLength
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.byteLength; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - waitingBytes)
      waiting.push(part)
      waitingBytes += part.byteLength
      at += part.byteLength
      if (waitingBytes < PIECE_BYTES) continue
      await keep(Buffer.concat(waiting))
      waiting = []
      waitingBytes = 0
    }
  }
  if (waitingBytes > 0) await keep(Buffer.concat(waiting))
  return size
}

/** The bytes of a kept file from a place on. */
export async function* fileFrom(tenant: Tenant, id: string, start: number): AsyncGenerator<Uint8Array> {
  for (let number = Math.floor(start / PIECE_BYTES), skip = start % PIECE_BYTES; ; number++, skip = 0) {
    const piece = await tenant.transaction(tx => readFilePiece(tx, tenant.workspaceId, id, number))
    if (!piece || piece.byteLength <= skip) return
    yield piece.subarray(skip)
    if (piece.byteLength < PIECE_BYTES) return
  }
}
