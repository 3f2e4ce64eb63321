import { describe, expect, test } from 'bun:test'
import { Checkpointer, CheckpointSchedule } from './checkpoints.ts'

const megabyte = 1024 * 1024

test('a checkpoint waits for a quiet moment until there is very much to save', () => {
  const schedule = new CheckpointSchedule(0)
  expect(schedule.isDue(100 * megabyte, false, 1)).toBe(false)
  expect(schedule.isDue(100 * megabyte, true, 1)).toBe(true)
  expect(schedule.isDue(256 * megabyte, false, 1)).toBe(true)
})

test('in a quiet moment little is saved only when the last checkpoint is long ago, and nothing never', () => {
  const schedule = new CheckpointSchedule(0)
  expect(schedule.isDue(4 * megabyte, true, 299_999)).toBe(false)
  expect(schedule.isDue(4 * megabyte, true, 300_000)).toBe(true)
  // Each checkpoint has whole pages written anew, so an idle database is left alone for hours.
  expect(schedule.isDue(1, true, 300_000)).toBe(false)
  expect(schedule.isDue(1, true, 6 * 3_600_000)).toBe(true)
  expect(schedule.isDue(0, true, 6 * 3_600_000)).toBe(false)
  schedule.done(300_000)
  expect(schedule.isDue(4 * megabyte, true, 300_001)).toBe(false)
})

describe('a checkpoint that is due', () => {
  function world(changed: number) {
    const done: string[] = []
    const sync = Promise.withResolvers<void>()
    const database = {
      walBytes: 256 * megabyte,
      changedBuffers: () => Array.from({ length: changed }, (_, n) => n + 1),
      writeBuffers: (buffers: readonly number[]) => void done.push(`write ${buffers.length} from ${buffers[0]}`),
      syncFiles: () => {
        done.push('sync')
        return sync.promise
      },
      checkpoint: () => {
        done.push('checkpoint')
        database.walBytes = 0
      },
    }
    const { promise: synced, resolve: onSynced } = Promise.withResolvers<void>()
    const checkpointer = new Checkpointer(database, 0, onSynced)
    const work = () => {
      while (checkpointer.step(false, 1));
      return done.splice(0)
    }
    return { work, sync, synced, checkpointer }
  }

  test('is made when what it would write was written in pieces and synced', async () => {
    const { work, sync, synced, checkpointer } = world(2100)
    expect(work()).toEqual(['write 1000 from 1', 'write 1000 from 1001', 'write 100 from 2001', 'sync'])
    expect(work()).toEqual([])
    let isSettled = false
    const settled = checkpointer.settled().then(() => {
      isSettled = true
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(isSettled).toBe(false)
    sync.resolve()
    await Promise.all([synced, settled])
    expect(work()).toEqual(['checkpoint'])
    expect(work()).toEqual([])
  })

  test('is made with nothing to write, too', async () => {
    const { work, sync, synced } = world(0)
    sync.resolve()
    expect(work()).toEqual(['sync'])
    await synced
    expect(work()).toEqual(['checkpoint'])
  })

  test('is never made once the disk has refused a sync', async () => {
    const { work, sync, synced, checkpointer } = world(1)
    work()
    sync.reject(new Error('input/output error'))
    await synced
    expect(work).toThrow('could not be synced')
    expect(work).toThrow('could not be synced')
    await expect(checkpointer.settled()).rejects.toThrow('could not be synced')
  })
})
