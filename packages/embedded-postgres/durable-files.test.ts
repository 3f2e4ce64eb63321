import { afterAll, beforeEach, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DurableFiles, type FileStream, type NodeFileOperations } from './durable-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'durable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Records each call on the host, and whether a commit was then still waiting for its sync. */
let log: string[]
let files: DurableFiles
let host: NodeFileOperations

beforeEach(() => {
  log = []
  files = new DurableFiles(folder)
  const note = (what: string) => void log.push(`${what}${files.unsettled ? ' before sync' : ''}`)
  host = {
    stream_ops: {
      open: () => note('open'),
      close: stream => {
        note('close')
        closeSync(stream.nfd)
        stream.shared.refcount--
      },
      write: (stream, _buffer, _offset, length) => {
        note(`write ${stream.node.name}`)
        return length
      },
      setattr: () => note('cut'),
    },
    node_ops: {
      rename: () => note('rename'),
      unlink: () => note('unlink'),
      rmdir: () => note('rmdir'),
      setattr: () => note('cut by name'),
    },
  }
  files.hook(host)
})

function openFile(name: string, parent: string): FileStream {
  const nfd = openSync(join(folder, name), 'w')
  const stream: FileStream = { nfd, node: { name, parent: { name: parent } }, shared: { refcount: 1 } }
  host.stream_ops.open(stream)
  return stream
}

/** Writes to the WAL and syncs it, as a commit does. */
function commit(segment: FileStream): void {
  host.stream_ops.write(segment, new Uint8Array(8), 0, 8, 0)
  expect(host.stream_ops.fsync?.(segment)).toBe(0)
}

const newSegment = () => openFile('0000000100000000000000A1', 'pg_wal')

test('a commit waits for settle, and several commits share it', () => {
  const segment = newSegment()
  commit(segment)
  commit(segment)
  expect(files.unsettled).toBe(true)
  expect(files.walBytes).toBe(16)
  files.settle()
  expect(files.unsettled).toBe(false)
})

test('nothing else on the disk is changed before a waiting commit is synced', () => {
  const segment = newSegment()
  const table = openFile('16384', '5')
  const changes: (() => void)[] = [
    () => host.stream_ops.write(table, new Uint8Array(8), 0, 8, 0),
    () => host.stream_ops.fsync?.(table),
    () => host.stream_ops.setattr(table, {}),
    () => host.node_ops.rename({}, {}, 'x'),
    () => host.node_ops.unlink({}, 'x'),
    () => host.node_ops.rmdir({}, 'x'),
    () => host.node_ops.setattr({}, {}),
    () => host.stream_ops.close(segment),
  ]
  for (const change of changes) {
    commit(segment)
    log = []
    change()
    expect(files.unsettled).toBe(false)
    expect(log.filter(line => line.endsWith('before sync'))).toEqual([])
  }
})

test('a file that only looks like WAL is synced at once', () => {
  const other = openFile('0000000100000000000000A2', 'base')
  expect(host.stream_ops.fsync?.(other)).toBe(0)
  expect(files.unsettled).toBe(false)
})

test('a sync that fails is reported to Postgres as an error number', () => {
  const table = openFile('16385', '5')
  closeSync(table.nfd)
  expect(host.stream_ops.fsync?.(table)).toBeGreaterThan(0)
})

test('a commit whose sync fails makes settle throw', () => {
  const segment = newSegment()
  commit(segment)
  closeSync(segment.nfd)
  expect(() => files.settle()).toThrow()
})

test('files that were closed before their turn to be synced beside the work do not stop that', async () => {
  const [lost, closed] = [openFile('16390', '5'), openFile('16391', '5')]
  for (const table of [lost, closed]) host.stream_ops.write(table, new Uint8Array(8), 0, 8, 0)
  closeSync(lost.nfd)
  const synced = files.syncWritten()
  host.stream_ops.close(closed)
  await synced
})

test('a sync beside the work that the disk refuses is reported', async () => {
  const pipe = openSync('/dev/full', 'w')
  const table: FileStream = { nfd: pipe, node: { name: '16393', parent: { name: '5' } }, shared: { refcount: 1 } }
  host.stream_ops.open(table)
  host.stream_ops.write(table, new Uint8Array(8), 0, 8, 0)
  await expect(files.syncWritten()).rejects.toThrow('EINVAL')
  // It is not tried again before it was written again.
  await files.syncWritten()
  closeSync(pipe)
})
