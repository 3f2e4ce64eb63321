import { describe, expect, test } from 'bun:test'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { AppError } from '../errors.ts'
import { TransactionTurns, type TurnsOptions, turnsOf } from './turns.ts'

/** Transactions whose ends are up to the test. */
function world(options: Omit<TurnsOptions, 'waitMs'>) {
  const clock = new ManualClock()
  const turns = new TransactionTurns({ ...options, waitMs: 1000 }, clock)
  const begun: string[] = []
  const failed: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (name: string, urgent = true) => {
    const [workspace = ''] = name
    const transaction = (hasBegun: () => void) =>
      new Promise<void>(resolve => {
        hasBegun()
        begun.push(name)
        ends.set(name, resolve)
      })
    turns.run(workspace, urgent, transaction).catch(error => {
      failed.push(`${name} ${error instanceof AppError ? error.code : error}`)
    })
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await settled()
  }
  return { clock, turns, begun, failed, begin, end }
}

/** Counts those that have begun. */
const begunOf = (begun: readonly string[], workspace: string) => begun.filter(name => name.startsWith(workspace)).length

/** Lets promises settle that wait for nothing else. */
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('transactions', () => {
  test('of one workspace are few at once, however many there are', async () => {
    const { begin, begun, end, turns } = world({ total: 4, perWorkspace: 2 })
    for (let n = 0; n < 100; n++) begin(`a${n}`)
    await settled()
    expect(begun).toEqual(['a0', 'a1'])
    await end('a1')
    expect(begun).toEqual(['a0', 'a1', 'a2'])
    expect([turns.permits.running, turns.permits.waiting]).toEqual([2, 97])
  })

  test('of as many workspaces as places are kept never take all places, whatever they started before: a further one finds one', async () => {
    for (const order of ['abcde', 'edcba'])
      for (const rounds of [1, 2, 7]) {
        const { begin, begun, end, turns } = world({ total: 12, perWorkspace: 7 })
        // The first one is alone before, and some of what runs ends as the others come.
        for (let n = 0; n < 20; n++) begin(`${order[0]}${n}`)
        for (let round = 0; round < rounds; round++) {
          await settled()
          for (const workspace of order) for (let n = 0; n < 20; n++) begin(`${workspace}${round}.${n}`)
          if (round > 0) for (const name of begun.filter((_, n) => n % 3 === round % 3)) await end(name)
        }
        await settled()
        const before = turns.permits.running
        begin('f0')
        await settled()
        expect([begun.at(-1), turns.permits.running]).toEqual(['f0', before + 1])
      }
  })

  test('of jobs are as few at once as they may be, whoever they are of, while clients never wait for them', async () => {
    const { begin, begun, end } = world({ total: 8, perWorkspace: 5, jobs: 1 })
    for (const name of ['a0', 'a1', 'b0', 'c0']) begin(name, false)
    for (const name of ['d0', 'a2']) begin(name)
    await settled()
    expect(begun).toEqual(['a0', 'd0', 'a2'])
    await end('d0')
    await end('a2')
    expect(begun).toEqual(['a0', 'd0', 'a2'])
    // Workspaces take turns with their jobs, too.
    for (const name of ['a0', 'b0', 'c0']) await end(name)
    expect(begun.slice(3)).toEqual(['b0', 'c0', 'a1'])
  })

  test('of two workspaces that never pause come to about as many, and leave the places that are kept', async () => {
    const { begin, begun, end, turns } = world({ total: 12, perWorkspace: 7 })
    for (let n = 0; n < 20; n++) begin(`a${n}`)
    for (let n = 0; n < 20; n++) begin(`b${n}`)
    await settled()
    expect([begunOf(begun, 'a'), begunOf(begun, 'b')]).toEqual([7, 1])
    for (const name of ['c0', 'd0']) begin(name)
    await settled()
    expect(begun.slice(8)).toEqual(['c0', 'd0'])
    await end('c0')
    await end('d0')
    for (let n = 0; n < 7; n++) await end(`a${n}`)
    expect([begunOf(begun, 'a') - 7, begunOf(begun, 'b'), turns.permits.running]).toEqual([3, 4, 7])
  })

  test('have the places of a workspace that has none any more', async () => {
    const { begin, begun, end, turns } = world({ total: 12, perWorkspace: 7 })
    begin('b0')
    for (let n = 0; n < 20; n++) begin(`a${n}`)
    await settled()
    expect(begunOf(begun, 'a')).toBe(4)
    await end('b0')
    expect([begunOf(begun, 'a'), turns.permits.waiting]).toEqual([7, 13])
  })

  test('of more workspaces than places come to all of them in turn', async () => {
    const { begin, begun, end } = world({ total: 3, perWorkspace: 2 })
    const names = 'abcdefgh'.split('')
    for (const name of names) for (const n of [0, 1]) begin(`${name}${n}`)
    await settled()
    for (let n = 0; n < 2 * names.length; n++) await end(begun[n] ?? '')
    const first = begun.filter(name => name.endsWith('0'))
    expect([first.map(([name]) => name), begun.length]).toEqual([names, 16])
    expect(begun.indexOf('h0')).toBeLessThan(begun.indexOf('d1'))
  })

  test('of several workspaces take turns where there is no room for all', async () => {
    const { begin, begun, end } = world({ total: 1, perWorkspace: 1 })
    for (const name of ['a0', 'a1', 'a2', 'b0', 'b1', 'c0']) begin(name)
    const order: string[] = []
    for (let n = 0; n < 6; n++) {
      await settled()
      const name = begun.at(-1) ?? ''
      order.push(name)
      await end(name)
    }
    expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
  })

  test('that a client waits for go before the background of their workspace', async () => {
    const { begin, begun, end } = world({ total: 1, perWorkspace: 1 })
    begin('a running', false)
    begin('a job', false)
    begin('a request')
    await settled()
    await end('a running')
    await end('a request')
    expect(begun).toEqual(['a running', 'a request', 'a job'])
  })

  test('of the background come to one in four starts while clients wait for more', async () => {
    const { begin, begun, end } = world({ total: 1, perWorkspace: 1 })
    begin('a first')
    for (let n = 0; n < 2; n++) begin(`a job${n}`, false)
    for (let n = 0; n < 9; n++) begin(`a${n}`)
    await settled()
    for (let n = 0; n < 11; n++) await end(begun.at(-1) ?? '')
    expect(begun).toEqual(['a first', 'a0', 'a1', 'a2', 'a job0', 'a3', 'a4', 'a5', 'a job1', 'a6', 'a7', 'a8'])
  })

  test('give up when their turn does not come, and leave nothing behind', async () => {
    const { begin, begun, end, turns, clock, failed } = world({ total: 1, perWorkspace: 1 })
    begin('a0')
    begin('b late')
    await settled()
    clock.advance(1000)
    begin('b next')
    await settled()
    expect(failed).toEqual(['b late SERVICE_UNAVAILABLE'])
    await end('a0')
    expect(begun).toEqual(['a0', 'b next'])
    await end('b next')
    expect([turns.permits.running, turns.permits.waiting, clock.waiting]).toEqual([0, 0, 0])
    begin('b again')
    await settled()
    expect(begun.at(-1)).toBe('b again')
  })

  test('that fail make room as those do that succeed', async () => {
    const turns = new TransactionTurns({ total: 1, perWorkspace: 1, waitMs: 1000 }, new ManualClock())
    const broken = turns.run('a', true, () => Promise.reject(new Error('broken')))
    const next = turns.run('a', true, async () => 'done')
    expect(await broken.catch(error => error.message)).toBe('broken')
    expect(await next).toBe('done')
    expect(turns.permits.running).toBe(0)
  })

  test('of a workspace that has used up its time start when it has rested, while others start at once', async () => {
    const { begin, begun, end, clock, turns } = world({ total: 3, perWorkspace: 2, jobs: 1, oneAtATime: true })
    begin('b0')
    await settled()
    await end('b0')
    begin('a0')
    await settled()
    // It is 150 ms more than may be used in a row.
    clock.advance(400)
    begin('a1')
    await end('a0')
    begin('b1')
    await settled()
    expect([begun, turns.permits.waiting]).toEqual([['b0', 'a0', 'b1'], 1])
    clock.advance(299)
    await settled()
    expect(begun).toHaveLength(3)
    clock.advance(2)
    await settled()
    expect(begun.at(-1)).toBe('a1')
    for (const name of ['a1', 'b1']) await end(name)
    expect([turns.permits.running, clock.waiting]).toEqual([0, 0])
  })

  test('that hold one another up are one at a time of each workspace while others are about, also between their own', async () => {
    const { begin, begun, end } = world({ total: 3, perWorkspace: 2, jobs: 1, oneAtATime: true })
    for (const name of ['a0', 'a1']) begin(name)
    await settled()
    expect(begun).toEqual(['a0', 'a1'])
    begin('b0')
    await settled()
    for (const name of ['a0', 'a1', 'b0']) await end(name)
    for (const name of ['a2', 'a3']) begin(name)
    await settled()
    expect(begun.slice(3)).toEqual(['a2'])
  })
})

test('the turns keep places for the first transactions of others, of sixteen connections for five workspaces', () => {
  for (let connections = 4; connections <= 200; connections++) {
    const { total, perWorkspace } = turnsOf('server', connections)
    expect([connections, total <= (connections * 3) / 4, perWorkspace < total]).toEqual([connections, true, true])
  }
  const { total, perWorkspace } = turnsOf('server', 16)
  expect(total - perWorkspace).toBe(5)
})
