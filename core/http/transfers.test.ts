import { expect, test } from 'bun:test'
import { flood } from '../../test/transfers/flood.ts'
import { MB } from './sizes.ts'
import { Transfers } from './transfers.ts'

test('uploads have half of what is free for temporary files at the moment, also after the disk was full', () => {
  let [others, inMemory] = [400 * MB, true]
  // Bytes that are written are no longer free, and still belong to the uploads.
  const transfers: Transfers = new Transfers(() => ({ freeBytes: 400 * MB - others - transfers.disk.used, inMemory }))
  const { disk } = transfers
  expect(disk.reserve('one', MB)).toBe(false)
  others = 0
  expect(flood(disk, 'one', 8 * MB)).toBe(56 * MB)
  expect(flood(disk, 'two', 8 * MB)).toBe(40 * MB)
  expect(disk.maxBytes).toBe(200 * MB)
  expect(transfers.filesInMemory).toBe(96 * MB)
  inMemory = false
  expect(transfers.filesInMemory).toBe(0)
})
