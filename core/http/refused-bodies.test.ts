import { expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { until } from '../../test/support/wait.ts'
import { ARRIVAL_MS_MAX, IncomingBody } from './incoming-body.ts'
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
