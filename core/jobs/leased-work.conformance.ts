import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { failure } from '../../test/support/control-plane.ts'
import type { Database } from '../db/database.ts'
import type { Claim } from './leased-work.ts'
import { type WorkSubject, type WorkTraits, workWorld } from './work-world.test-support.ts'

const NEVER = new AbortController().signal
const ids = (claims: readonly Claim[]) => claims.map(claim => claim.id)

/** Tests that every work table must pass; its owner runs them against it. */
export function leasedWorkConformance(traits: WorkTraits, openSubject: () => Promise<WorkSubject>): void {
  const { name, leaseMs, perWorkspaceMax } = traits
  let subject: WorkSubject
  let database: Database

  beforeAll(async () => {
    subject = await openSubject()
    database = subject.database
  })

  const world = () => workWorld(subject, traits)

  describe(`${name}: a claim`, () => {
    test('takes the items that are due longest, at most as many as asked for, with their attempts', async () => {
      const { begin, add, claimIn } = world()
      await begin()
      const { workspaceId, ids: added } = await add(3)
      const first = await claimIn(workspaceId, 2)
      expect(ids(first)).toEqual(added.slice(0, 2))
      expect(first.map(claim => claim.attempts)).toEqual([1, 1])
      expect(ids(await claimIn(workspaceId, 2))).toEqual(added.slice(2))
      expect(await claimIn(workspaceId, 2)).toEqual([])
    })

    test('shares nothing with others that are made at the same time', async () => {
      const { begin, add, claim } = world()
      await begin()
      const added = (await Promise.all([add(8), add(8), add(8)])).flatMap(one => one.ids)
      const claims = (await Promise.all(Array.from({ length: 8 }, () => claim(6)))).flat()
      for (let more = await claim(100); more.length > 0; more = await claim(100)) claims.push(...more)
      const claimed = ids(claims)
      expect(new Set(claimed).size).toBe(claimed.length)
      if (perWorkspaceMax === undefined) expect(claimed.toSorted()).toEqual(added.toSorted())
    })

    test('of all workspaces serves each at once, however much one of them has waiting, and for how long', async () => {
      const { begin, add, claim } = world()
      await begin()
      const crowd = await add(60)
      const others = [await add(1), await add(1), await add(2)]
      const claimed = await claim(12)
      expect(claimed.length).toBeLessThanOrEqual(12)
      const served = new Set(claimed.map(one => one.workspaceId))
      expect(served).toEqual(new Set([crowd, ...others].map(one => one.workspaceId)))
      // In small bites too every workspace has its turn before any has a second one.
      const small = world()
      await small.begin()
      const workspaces = [await small.add(20), await small.add(20), await small.add(20), await small.add(1)]
      const turns: string[] = []
      for (let n = 0; n < workspaces.length; n++) turns.push(...(await small.claim(1)).map(one => one.workspaceId))
      expect(turns.toSorted()).toEqual(workspaces.map(one => one.workspaceId).toSorted())
    })

    test('with a condition passes over items that it does not hold for, however long they are due', async () => {
      const { begin, add, work } = world()
      await begin()
      const { workspaceId, ids: added } = await add(5)
      const [, , third = '', , fifth = ''] = added
      const chosen = await database.workspace(workspaceId, tx =>
        work.claimIn(tx, workspaceId, 5, tx`queued.${tx(traits.key)}::text in (${third}, ${fifth})`),
      )
      expect(ids(chosen)).toEqual([third, fifth])
    })

    test('sees no items of other workspaces under the role of requests', async () => {
      const { begin, add, work, rows } = world()
      await begin()
      const [mine, theirs] = [await add(1), await add(1)]
      const claimed = await database.workspace(mine.workspaceId, tx => work.claimIn(tx, theirs.workspaceId, 5))
      expect(claimed).toEqual([])
      expect((await rows(theirs.workspaceId)).map(row => row.lease)).toEqual([null])
    })

    if (perWorkspaceMax !== undefined) {
      test('leaves no more than the limit of a workspace claimed at once', async () => {
        const { begin, add, work, claim, claimIn, clock } = world()
        await begin()
        const { workspaceId } = await add(perWorkspaceMax * 3)
        const claims = await Promise.all([claim(perWorkspaceMax), claimIn(workspaceId, perWorkspaceMax), claim(1)])
        expect(claims.flat()).toHaveLength(perWorkspaceMax)
        expect(await claimIn(workspaceId, 5)).toEqual([])
        await database.system(tx => work.finish(tx, claims.flat().slice(0, 1)))
        expect(await claimIn(workspaceId, 5)).toHaveLength(1)
        // A killed process's claims count no more once they have lapsed.
        clock.advance(leaseMs + 1)
        expect(await claimIn(workspaceId, perWorkspaceMax)).toHaveLength(perWorkspaceMax)
      })
    }
  })

  describe(`${name}: what is claimed`, () => {
    test('is done when it is finished', async () => {
      const { begin, add, work, claimIn, rows, clock } = world()
      await begin()
      const { workspaceId } = await add(2)
      const claims = await claimIn(workspaceId, 2)
      expect(await database.system(tx => work.finish(tx, claims))).toHaveLength(2)
      const left = await rows(workspaceId)
      if (traits.removesFinished) expect(left).toHaveLength(0)
      else expect(left).toMatchObject([{ due_at: null, lease: null, attempts: 0, error: null }, { due_at: null }])
      clock.advance(leaseMs * 10)
      expect(await claimIn(workspaceId, 5)).toEqual([])
    })

    test.each([
      ['when it is released', 3, 0],
      ['when it is released after the clock was put back', 1, 7_200_000],
    ])('is due at once in its old place %s, the attempt uncounted', async (_, count, putBackMs) => {
      const { begin, add, work, claimIn, clock } = world()
      await begin()
      const { workspaceId, ids: added } = await add(count)
      const [first] = await claimIn(workspaceId, 1)
      if (!first) throw new Error('nothing was claimed')
      clock.advance(-putBackMs)
      await database.system(tx => work.release(tx, [first]))
      const again = await claimIn(workspaceId, 1)
      clock.advance(putBackMs)
      expect(again.map(({ id, attempts }) => ({ id, attempts }))).toEqual([{ id: added[0] ?? '', attempts: 1 }])
    })

    test('is due at the time it is postponed to, each at its own, with the attempts and the reason', async () => {
      const { begin, add, work, claimIn, rowOf, clock } = world()
      await begin()
      const { workspaceId } = await add(2)
      const claims = await claimIn(workspaceId, 2)
      const [soon, later] = claims
      if (!soon || !later) throw new Error('too little was claimed')
      const in1 = new Date(clock.now().getTime() + 60_000)
      const in2 = new Date(clock.now().getTime() + 120_000)
      await database.system(tx =>
        work.postpone(tx, [
          { claim: soon, inMs: 60_000, reason: 'it was "away", {for} a\\b moment' },
          { claim: later, inMs: 120_000 },
        ]),
      )
      expect(await rowOf(soon)).toMatchObject({ due_at: in1, error: 'it was "away", {for} a\\b moment', attempts: 1 })
      expect(await rowOf(later)).toMatchObject({ due_at: in2, error: null })
      clock.advance(59_999)
      expect(await claimIn(workspaceId, 5)).toEqual([])
      clock.advance(1)
      const again = await claimIn(workspaceId, 5)
      expect(again.map(({ id, attempts }) => ({ id, attempts }))).toEqual([{ id: soon.id, attempts: 2 }])
    })

    test('is never due again when it is given up, and says why, until it is queued once more', async () => {
      const { begin, add, work, claimIn, rowOf, clock } = world()
      await begin()
      const { workspaceId } = await add(1)
      const [claim] = await claimIn(workspaceId, 1)
      if (!claim) throw new Error('nothing was claimed')
      const reason = `not a text\u0000 that ${'x'.repeat(600)}`
      await database.system(tx => work.giveUp(tx, [claim], reason))
      clock.advance(365 * 86_400_000)
      expect(await claimIn(workspaceId, 1)).toEqual([])
      expect(await rowOf(claim)).toMatchObject({
        due_at: null,
        lease: null,
        error: reason.replace('\u0000', '').slice(0, 500),
      })
      await database.system(tx => subject.addAgain(tx, workspaceId, claim.id))
      expect(await rowOf(claim)).toMatchObject({ due_at: expect.any(Date), attempts: 0, error: null })
    })

    test('lapses when it is not renewed, as that of a killed process, and counts as an attempt', async () => {
      const { begin, add, work, claimIn, clock } = world()
      await begin()
      const { workspaceId } = await add(1)
      const [lost] = await claimIn(workspaceId, 1)
      if (!lost) throw new Error('nothing was claimed')
      clock.advance(leaseMs - 1)
      expect(await database.system(tx => work.renew(tx, [lost]))).toEqual([lost])
      clock.advance(leaseMs - 1)
      expect(await claimIn(workspaceId, 1)).toEqual([])
      clock.advance(1)
      const [taken] = await claimIn(workspaceId, 1)
      expect(taken).toMatchObject({ id: lost.id, attempts: 2 })
      // The former claimant comes too late, whatever it reports.
      for (const late of [work.renew, work.finish, work.release]) {
        expect(await database.system(tx => late.call(work, tx, [lost]))).toEqual([])
      }
      expect(await database.system(tx => work.giveUp(tx, [lost], 'late'))).toEqual([])
      expect(await database.system(tx => work.postpone(tx, [{ claim: lost, inMs: 0 }]))).toEqual([])
      expect(await database.system(tx => work.finish(tx, taken ? [taken] : []))).toHaveLength(1)
    })

    test('that is queued again meanwhile is not claimed twice at once, and is due however it was settled', async () => {
      const { begin, add, work, claimIn } = world()
      await begin()
      const { workspaceId } = await add(4)
      const claims = await claimIn(workspaceId, 4)
      const [first, second, third, fourth] = claims
      if (!first || !second || !third || !fourth) throw new Error('too little was claimed')
      await database.system(async tx => {
        for (const { id } of claims) await subject.addAgain(tx, workspaceId, id)
      })
      expect(await claimIn(workspaceId, 4)).toEqual([])
      await database.system(async tx => {
        await work.finish(tx, [first])
        await work.release(tx, [second])
        await work.postpone(tx, [{ claim: third, inMs: 3_600_000, reason: 'stale' }])
        await work.giveUp(tx, [fourth], 'stale')
      })
      const again = await claimIn(workspaceId, 9)
      expect(ids(again).toSorted()).toEqual(ids(claims).toSorted())
      expect(again.map(claim => claim.attempts)).toEqual([1, 1, 1, 1])
    })
  })

  describe(`${name}: holding claims`, () => {
    test('renews them as long as the work goes on, and releases what it left open', async () => {
      const { begin, add, work, claimIn, rows, clock } = world()
      await begin()
      const { workspaceId } = await add(2)
      const claims = await claimIn(workspaceId, 2)
      const [done] = claims
      const result = await work.holding(database, claims, NEVER, async open => {
        for (let n = 0; n < 6; n++) {
          const before = await rows(workspaceId)
          clock.advance(leaseMs / 3)
          await condition(async () => {
            const now = await rows(workspaceId)
            return now.every((row, i) => (row.due_at?.getTime() ?? 0) > (before[i]?.due_at?.getTime() ?? 0))
          })
        }
        expect(await claimIn(workspaceId, 2)).toEqual([])
        if (!done) throw new Error('nothing was claimed')
        await database.system(tx => work.finish(tx, [done]))
        open.delete(done)
        return 'result'
      })
      expect(result).toBe('result')
      expect(clock.timers()).toBe(0)
      const left = await claimIn(workspaceId, 2)
      expect(left.map(({ id, attempts }) => ({ id, attempts }))).toEqual([{ id: claims[1]?.id ?? '', attempts: 1 }])
    })

    test('releases them when the work fails, with its error', async () => {
      const { begin, add, work, claimIn } = world()
      await begin()
      const { workspaceId } = await add(1)
      const claims = await claimIn(workspaceId, 1)
      const failed = work.holding(database, claims, NEVER, () => Promise.reject(new Error('no')))
      expect((await failure(failed))?.message).toBe('no')
      expect(ids(await claimIn(workspaceId, 1))).toEqual(ids(claims))
    })

    test('ends the work whose claims others took', async () => {
      const { begin, add, work, claimIn, clock } = world()
      await begin()
      const { workspaceId } = await add(1)
      const claims = await claimIn(workspaceId, 1)
      const held = work.holding(database, claims, NEVER, async (_, signal) => {
        await database.system(
          tx => tx`update ${tx(work.table)} set lease = ${randomUUID()} where workspace_id = ${workspaceId}`,
        )
        clock.advance(leaseMs / 3)
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      })
      expect((await failure(held))?.name).toBe('LeaseLostError')
    })
  })

  test(`${name}: tells which workspaces have something due, and when the next is`, async () => {
    const { begin, add, work, claimIn, clock } = world()
    await begin()
    const [waiting, claimed, done] = [await add(3), await add(1), await add(1)]
    await claimIn(claimed.workspaceId, 1)
    const finished = await claimIn(done.workspaceId, 1)
    await database.system(tx => work.finish(tx, finished))
    const due = () => database.system(tx => work.dueWorkspaces(tx, 50))
    const nextDue = (workspaceId: string) => database.workspace(workspaceId, tx => work.nextDueInMs(tx, workspaceId))
    expect(await due()).toEqual([waiting.workspaceId])
    expect(await nextDue(waiting.workspaceId)).toBe(0)
    expect(await nextDue(claimed.workspaceId)).toBe(leaseMs)
    expect(await nextDue(done.workspaceId)).toBeUndefined()
    clock.advance(leaseMs)
    expect((await due()).toSorted()).toEqual([waiting.workspaceId, claimed.workspaceId].toSorted())
  })
}

/** Polls until the condition holds. */
async function condition(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) if (Date.now() > deadline) throw new Error('waited a minute in vain')
}
