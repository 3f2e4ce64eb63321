import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { AppError, fail } from '../errors.ts'
import { reserveRoom } from '../http/response-room.ts'
import { SharedByteBudget } from '../http/shared-byte-budget.ts'
import { sharesOf, turnsOf } from './limits.ts'
import { RequestShares } from './request-shares.ts'

const present = () => new AbortController().signal

/** Requests whose ends are up to the test. */
function world(running: number, waiting: number, limits: { heldMs?: number } = {}) {
  const clock = new ManualClock()
  const share = { running, waiting, waitMs: 1000, statementMs: 1, ...limits }
  const shares = new RequestShares({ ...sharesOf('server'), light: share, heavy: share }, clock)
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const refused: string[] = []
  const told: string[] = []
  const request = (name: string, workspace = 'a', gone = present, kind: 'light' | 'heavy' = 'light') => {
    const work = () =>
      new Promise<void>((resolve, reject) => {
        begun.push(name)
        ends.set(name, error => (error ? reject(error) : resolve()))
      })
    shares.run(kind, workspace, gone, work).catch(error => {
      refused.push(`${name} ${error instanceof AppError ? `${error.code} ${error.retryAfterSeconds}` : error.message}`)
      told.push(error.message)
    })
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await turns()
  }
  return { clock, shares, begun, refused, told, request, end }
}

function thrownBy(work: () => void): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}

/** Lets promises settle that wait for nothing else. */
const turns = () => new Promise(resolve => setImmediate(resolve))

describe('the requests of a workspace', () => {
  test('run up to its share, and the rest in the order they came, failures or not', async () => {
    const { request, begun, end, shares } = world(2, 10)
    for (const name of ['1', '2', '3', '4', '5']) request(name)
    await turns()
    expect(begun).toEqual(['1', '2'])
    expect(shares.state('light')).toMatchObject({ running: 2, waiting: 3 })
    await end('2')
    expect(begun).toEqual(['1', '2', '3'])
    await end('3', new Error('broken'))
    expect(begun).toEqual(['1', '2', '3', '4'])
    for (const name of ['1', '4', '5']) await end(name)
    expect(shares.state('light')).toEqual({ running: 0, waiting: 0, refused: 0 })
  })

  test('leave their places to the next ones when they go on for ever, and only once', async () => {
    const { request, begun, end, clock, shares } = world(1, 10, { heldMs: 900 })
    for (const name of ['1', '2', '3']) request(name)
    await turns()
    expect(begun).toEqual(['1'])
    clock.advance(900)
    await turns()
    expect(begun).toEqual(['1', '2'])
    await end('1')
    expect(begun).toEqual(['1', '2'])
    await end('2')
    expect(begun).toEqual(['1', '2', '3'])
    await end('3')
    expect(shares.state('light')).toEqual({ running: 0, waiting: 0, refused: 0 })
    expect(clock.waiting).toBe(0)
  })

  test('whose work was thrown away leave their places when they may try again', async () => {
    const { request, begun, end, clock, shares, refused } = world(1, 10)
    request('1')
    await turns()
    const noRoom = () => reserveRoom({ responses: new SharedByteBudget(0) }, 'a', 1)
    await end('1', thrownBy(noRoom))
    expect([begun, refused]).toEqual([['1'], ['1 SERVICE_UNAVAILABLE 1']])
    clock.advance(500)
    request('2')
    clock.advance(499)
    await turns()
    expect(begun).toEqual(['1'])
    clock.advance(1)
    await turns()
    expect(begun).toEqual(['1', '2'])
    await end('2')
    expect([shares.state('light').running, clock.waiting]).toEqual([0, 0])
  })

  test('whose statement took too long leave their places after nine times as long, and twenty seconds at the most', async () => {
    const { request, begun, end, clock, shares } = world(1, 10)
    const tooLong = () =>
      fail('SERVICE_UNAVAILABLE', { cause: Object.assign(new Error('cancelled'), { code: '57014' }) })
    for (const [name, tookMs, restMs] of [
      ['1', 200, 1800],
      ['2', 15_000, 20_000],
    ] as const) {
      request(name)
      await turns()
      clock.advance(tookMs)
      await end(name, tooLong())
      clock.advance(restMs - 500)
      request(`after ${name}`)
      clock.advance(499)
      await turns()
      expect(begun.at(-1)).toBe(name)
      clock.advance(1)
      await turns()
      expect(begun.at(-1)).toBe(`after ${name}`)
      await end(`after ${name}`)
    }
    expect([shares.state('light').running, clock.waiting]).toEqual([0, 0])
  })

  test('never wait for those of another workspace or class', async () => {
    const { request, begun } = world(1, 10)
    for (let n = 0; n < 10; n++) request(`flood ${n}`)
    request('other workspace', 'b')
    request('other class', 'a', present, 'heavy')
    await turns()
    expect(begun).toEqual(['flood 0', 'other workspace', 'other class'])
  })

  test('are refused beyond the queue, with a time to retry', async () => {
    const { request, refused, told, shares, end, begun } = world(1, 2)
    for (const name of ['1', '2', '3', '4']) request(name)
    await turns()
    expect(refused).toEqual(['4 RATE_LIMITED 1'])
    expect(told[0]).toContain(
      'as many as may be at once, and 2 more wait. Retry when they are done. RATE_LIMIT changes',
    )
    expect(shares.state('light')).toEqual({ running: 1, waiting: 2, refused: 1 })
    await end('1')
    request('5')
    await turns()
    expect([begun, refused.length]).toEqual([['1', '2'], 1])
  })

  test('are refused when their turn does not come in time, and leave no place taken', async () => {
    const { request, refused, told, clock, end, begun, shares } = world(1, 5)
    request('1')
    request('late')
    clock.advance(999)
    request('patient')
    await turns()
    expect(refused).toEqual([])
    clock.advance(1)
    // Ends at the very moment in which the other one is refused.
    await end('1')
    expect(refused).toEqual(['late RATE_LIMITED 1'])
    expect(told[0]).toContain('this one has waited for 1 s')
    expect(begun).toEqual(['1', 'patient'])
    await end('patient')
    expect(shares.state('light')).toEqual({ running: 0, waiting: 0, refused: 1 })
    expect(clock.waiting).toBe(0)
  })

  test('leave the queue when their client goes away', async () => {
    const { request, begun, end, shares } = world(1, 5)
    const client = new AbortController()
    request('1')
    request('gone', 'a', () => client.signal)
    request('2')
    await turns()
    client.abort()
    await turns()
    expect(shares.state('light').waiting).toBe(1)
    await end('1')
    expect(begun).toEqual(['1', '2'])
  })
})

describe('the shares', () => {
  test('of heavy classes are smaller, and smaller still on the embedded database; hundreds may wait in each', () => {
    for (const kind of ['server', 'embedded'] as const) {
      const { light, heavy, bulk, upload } = sharesOf(kind)
      expect([heavy.running < light.running, bulk.running <= heavy.running]).toEqual([true, true])
      expect([light, heavy, bulk, upload].filter(({ waiting }) => waiting < 200)).toEqual([])
    }
    expect(sharesOf('embedded').bulk.running).toBe(1)
    expect(sharesOf('embedded').heavy.statementMs).toBeLessThanOrEqual(2000)
  })

  test('of the database keep places for the first transactions of others, of sixteen connections for five workspaces', () => {
    for (let connections = 4; connections <= 200; connections++) {
      const { total, perWorkspace } = turnsOf('server', connections)
      expect([connections, total <= (connections * 3) / 4, perWorkspace < total]).toEqual([connections, true, true])
    }
    const { total, perWorkspace } = turnsOf('server', 16)
    expect(total - perWorkspace).toBe(5)
  })
})
