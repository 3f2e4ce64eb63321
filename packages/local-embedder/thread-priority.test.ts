import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

test('a thread lowers its own priority on Linux, and not that of the thread which serves requests', async () => {
  const main = getPriority(process.pid)
  const worker = new Worker(new URL('./fixtures/lowered-thread.ts', import.meta.url))
  const [seen] = await once(worker, 'message')
  const after = process.platform === 'linux' ? Math.min(19, main + 5) : main
  expect(seen).toEqual({ before: main, after, process: main })
  await worker.terminate()
})
