import { describe, expect, test } from 'bun:test'
import { EmbedderUnavailableError } from 'mneme/plugin'
import { ProcessingBatches } from './batches.ts'

const job = (memory_id: string, workspace_id = 'w') => ({ workspace_id, memory_id, revision: 1 })

/** Builds a pass that ends on command and records its calls. */
function controlledPass() {
  const calls: { ids: string[]; end: (error?: Error) => void }[] = []
  let notify: () => void = () => undefined
  return {
    calls,
    pass: (_: string, jobs: readonly { memory_id: string }[]) =>
      new Promise<void>((resolve, reject) => {
        calls.push({ ids: jobs.map(one => one.memory_id), end: error => (error ? reject(error) : resolve()) })
        notify()
      }),
    async called(times: number) {
      while (calls.length < times) {
        await new Promise<void>(resolve => {
          notify = resolve
        })
      }
    },
  }
}

describe('ProcessingBatches', () => {
  test('joins jobs that start together, by workspace', async () => {
    const seen: string[][] = []
    const batches = new ProcessingBatches(async (_, jobs) => {
      seen.push(jobs.map(one => one.memory_id))
    })
    await Promise.all([batches.add(job('a')), batches.add(job('b')), batches.add(job('c', 'other'))])
    expect(seen.sort()).toEqual([['a', 'b'], ['c']])
  })

  test('never puts more than 32 jobs into one pass and loses none', async () => {
    const seen: string[][] = []
    const batches = new ProcessingBatches(async (_, jobs) => {
      seen.push(jobs.map(one => one.memory_id))
    })
    const ids = Array.from({ length: 100 }, (_, n) => String(n))
    await Promise.all(ids.map(id => batches.add(job(id))))
    expect(Math.max(...seen.map(pass => pass.length))).toBeLessThanOrEqual(32)
    expect(seen.flat().sort()).toEqual([...ids].sort())
  })

  test('limits the characters of a pass, and runs the longest texts alone', async () => {
    const seen: string[][] = []
    const batches = new ProcessingBatches(async (_, jobs) => {
      seen.push(jobs.map(one => one.memory_id))
    })
    const sizes = { a: 9_000, b: 7_000, c: 1, d: 50_000, e: 50_000, f: 100, g: 100 }
    await Promise.all(Object.entries(sizes).map(([id, characters]) => batches.add({ ...job(id), characters })))
    expect(seen).toEqual([['a', 'b'], ['c'], ['d'], ['e'], ['f', 'g']])
  })

  test('runs more passes of long texts concurrently than of others', async () => {
    const { pass, calls, called } = controlledPass()
    const batches = new ProcessingBatches(pass)
    const ids = Array.from({ length: 9 }, (_, n) => String(n))
    const all = ids.map(id => batches.add({ ...job(id), characters: 12_000 }))
    await called(6)
    expect(calls.map(call => call.ids)).toEqual(ids.slice(0, 6).map(id => [id]))
    for (let n = 0; n < ids.length; n++) {
      await called(n + 1)
      calls[n]?.end()
    }
    await Promise.all(all)
  })

  test('collects jobs that arrive while two passes run', async () => {
    const { pass, calls, called } = controlledPass()
    const batches = new ProcessingBatches(pass)
    const first = batches.add(job('a'))
    await called(1)
    const second = batches.add(job('b'))
    await called(2)
    const later = ['c', 'd', 'e'].map(id => batches.add(job(id)))
    calls[0]?.end()
    await called(3)
    expect(calls[2]?.ids).toEqual(['c', 'd', 'e'])
    for (const call of calls) call.end()
    await Promise.all([first, second, ...later])
  })

  test('runs two passes where few texts are a little longer than others', async () => {
    const { pass, calls, called } = controlledPass()
    const batches = new ProcessingBatches(pass)
    const all = Array.from({ length: 100 }, (_, n) =>
      batches.add({ ...job(String(n)), characters: n === 3 ? 600 : 100 }),
    )
    await called(2)
    // A third pass of the workspace would have been scheduled before this one.
    const other = batches.add(job('other', 'v'))
    await called(3)
    expect(calls.map(call => call.ids.length)).toEqual([31, 32, 1])
    for (let n = 0; n < 5; n++) {
      await called(n + 1)
      calls[n]?.end()
    }
    await Promise.all([...all, other])
  })

  test('retries a failed pass job by job, so that only the bad memory fails', async () => {
    const batches = new ProcessingBatches(async (_, jobs) => {
      if (jobs.some(one => one.memory_id === 'bad')) throw new Error('bad memory')
    })
    const results = await Promise.allSettled(['a', 'bad', 'b'].map(id => batches.add(job(id))))
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('does not try job by job what fails because the embedder is away', async () => {
    let passes = 0
    const batches = new ProcessingBatches(async () => {
      passes++
      throw new EmbedderUnavailableError('away')
    })
    const results = await Promise.allSettled(['a', 'b', 'c'].map(id => batches.add(job(id))))
    expect(results.map(result => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(passes).toBe(1)
  })
})
