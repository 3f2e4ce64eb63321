import { expect, test } from 'bun:test'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { relationBytes, sharedBuffersBytes } from './buffers.ts'
import { temporaryFolder } from './folders.test-support.ts'

const megabyte = 1024 * 1024

test('a small database takes 64 MB of buffers, a large one 128 MB', () => {
  expect(sharedBuffersBytes(0)).toBe(64 * megabyte)
  expect(sharedBuffersBytes(255 * megabyte)).toBe(64 * megabyte)
  expect(sharedBuffersBytes(256 * megabyte)).toBe(128 * megabyte)
})

test('the size of tables and indexes leaves out the log of writes', async () => {
  const cluster = await temporaryFolder()
  await mkdir(join(cluster, 'base/5'), { recursive: true })
  await mkdir(join(cluster, 'pg_wal'))
  await writeFile(join(cluster, 'base/5/1249'), new Uint8Array(8192))
  await writeFile(join(cluster, 'base/5/16384'), '')
  await truncate(join(cluster, 'base/5/16384'), 300 * megabyte)
  await writeFile(join(cluster, 'pg_wal/000000010000000000000001'), new Uint8Array(16_384))
  expect(relationBytes(cluster)).toBe(300 * megabyte + 8192)
})
