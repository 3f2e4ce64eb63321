import { expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { until } from '../../test/support/wait.ts'
import { ARRIVAL_MS_MAX, IncomingBody } from './incoming-body.ts'
import { MB } from './sizes.ts'
import { Transfers } from './transfers.ts'

/** Lets promises settle that wait for nothing else. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('what is left of a refused body is not waited for where its holder pauses in too many, and theirs alone', async () => {
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  let cancelled = 0
  const paused = (holder: string) => {
    const stream = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => undefined),
      cancel: () => void cancelled++,
    })
    const init = { method: 'POST', body: stream, headers: { 'content-length': '1000000' } }
    return new IncomingBody(new Request('http://localhost/', init), { clock, transfers }, () => holder)
  }
  const flood = Array.from({ length: 100 }, () => paused('flood').discard())
  const atOnce = await Promise.all(flood.map(one => Promise.race([one, settled().then(() => 'waits')])))
  const waiting = atOnce.filter(outcome => outcome === 'waits').length
  expect([waiting > 0, waiting < 12, atOnce.filter(outcome => outcome === false).length]).toEqual([
    true,
    true,
    100 - waiting,
  ])
  const victim = paused('victim').discard()
  expect(await Promise.race([victim, settled().then(() => 'waits')])).toBe('waits')
  clock.advance(500)
  expect([await victim, (await Promise.all(flood)).includes(true)]).toEqual([false, false])
  // Once the responses are out nothing is read of those that were not waited for.
  clock.advance(1000)
  expect(cancelled).toBe(100 - waiting)
  clock.advance(ARRIVAL_MS_MAX)
  await until('nothing is held any more', async () => transfers.dropped.used === 0)
})

test('refused bodies are read away at a rate, all together', async () => {
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  let sent = 0
  const flood = Array.from({ length: 8 }, (_, n) => {
    const left = Array.from({ length: 8 }, () => new Uint8Array(MB))
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = left.pop()
          sent += chunk?.length ?? 0
          if (chunk) controller.enqueue(chunk)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', body: stream, headers: { 'content-length': String(8 * MB) } }
    return new IncomingBody(
      new Request('http://localhost/', init),
      { clock, transfers },
      () => `address ${n}`,
    ).discard()
  })
  await until('a burst is read, and one piece more of each', async () => sent === 24 * MB)
  await settled()
  expect([sent, clock.waiting]).toEqual([24 * MB, flood.length])
  clock.advance(1000)
  await until('as much again is read', async () => sent === 48 * MB)
  await settled()
  clock.advance(1000)
  expect(await Promise.all(flood)).toEqual(flood.map(() => true))
  expect(sent).toBe(64 * MB)
})
