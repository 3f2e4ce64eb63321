import { beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes, randomUUID } from 'node:crypto'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import type { Database, Tx } from '../db/database.ts'
import { FileMissingError, filePieces } from './file-pieces.ts'

const PIECE = 256 * 1024
const files = filePieces({ table: 'files.piece', key: 'file_id' })
let database: Database

beforeAll(async () => {
  database = (await openControlPlane(await ownDatabaseUrl())).storage.database
  await database.system(async tx => {
    await tx.unsafe(`
      create schema files;
      create table files.piece (
        workspace_id uuid not null, file_id uuid not null, number integer not null, bytes bytea not null,
        created_at timestamptz not null default now(), constraint piece_pk primary key (workspace_id, file_id, number)
      );
      select core.protect_tenant_table('files.piece');`)
  })
})

function workspace() {
  const workspaceId = randomUUID()
  return { workspaceId, transaction: <T>(work: (tx: Tx) => Promise<T>) => database.workspace(workspaceId, work) }
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size)
}

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(parts))
}

describe('files in pieces', () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 7])(
    '%d bytes come out as they went in',
    async size => {
      const own = workspace()
      const id = randomUUID()
      const bytes = randomBytes(size)
      expect(await files.write(own, id, inChunks(bytes, 70_001))).toBe(size)
      expect(await whole(files.read(own, id, { start: 0, end: size }))).toEqual(bytes)
    },
  )

  test('a part is read from any place to any other', async () => {
    const own = workspace()
    const id = randomUUID()
    const bytes = randomBytes(2 * PIECE + 100)
    await files.write(own, id, inChunks(bytes, PIECE * 3))
    for (const [start, end] of [
      [0, 1],
      [PIECE - 1, PIECE + 1],
      [PIECE, 2 * PIECE],
      [10, 2 * PIECE + 100],
      [5, 5],
    ] as const) {
      expect(await whole(files.read(own, id, { start, end }))).toEqual(bytes.subarray(start, end))
    }
  })

  test('a file that is shorter than it should be is missing, not read in part without a word', async () => {
    const own = workspace()
    const id = randomUUID()
    await files.write(own, id, inChunks(randomBytes(PIECE), PIECE))
    expect(await failure(whole(files.read(own, id, { start: 0, end: PIECE + 1 })))).toBeInstanceOf(FileMissingError)
    expect(await failure(whole(files.read(own, randomUUID(), { start: 0, end: 1 })))).toBeInstanceOf(FileMissingError)
  })

  test('writing again takes the place of what a broken attempt left', async () => {
    const own = workspace()
    const id = randomUUID()
    await files.write(own, id, inChunks(randomBytes(2 * PIECE), PIECE))
    const bytes = randomBytes(PIECE + 3)
    await files.write(own, id, inChunks(bytes, PIECE))
    expect(await whole(files.read(own, id, { start: 0, end: bytes.byteLength }))).toEqual(bytes)
  })

  test('another workspace neither reads nor removes it', async () => {
    const own = workspace()
    const other = workspace()
    const id = randomUUID()
    const bytes = randomBytes(10)
    await files.write(own, id, inChunks(bytes, 10))
    await other.transaction(tx => files.remove(tx, own.workspaceId, [id]))
    expect(await failure(whole(files.read(other, id, { start: 0, end: 10 })))).toBeInstanceOf(FileMissingError)
    expect(await whole(files.read(own, id, { start: 0, end: 10 }))).toEqual(bytes)
    await own.transaction(tx => files.remove(tx, own.workspaceId, [id]))
    expect(await failure(whole(files.read(own, id, { start: 0, end: 10 })))).toBeInstanceOf(FileMissingError)
  })
})
