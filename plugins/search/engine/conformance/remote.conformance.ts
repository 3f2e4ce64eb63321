import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '../../../../test/support/wait.ts'
import { Corpus, type EngineWorld } from './corpus.test-support.ts'

/** An engine with a remote index on several nodes that the tests can disturb; the first node is the leader. */
export interface RemoteWorld extends EngineWorld {
  /** Sends everything and waits until searches use the index. */
  settle(): Promise<void>
  /** Opens the same engine as another process would, as soon as it is ready to serve. */
  another(): Promise<RemoteWorld>
  /** Opens the engine of another database on the same index. */
  foreign(): Promise<RemoteWorld>
  /** Kills nodes and starts them again; from then on they replay their log only when told to. @returns its number of entries */
  restart(nodes: readonly number[]): number
  /** Lets restarted nodes replay this many entries. */
  replay(entries: number): void
  /** Keeps followers from receiving writes. */
  lag(): void
  /** Brings all nodes up to date. */
  catchUp(): void
  /** Rebuilds the index. @returns how many collections were started for it */
  rebuild(): Promise<number>
  close(): Promise<void>
}

const NUMBERS = Array.from({ length: 12 }, (_, n) => n)
const ALL = NUMBERS.map(n => `apple ${n}`).sort()

/** No search may be incomplete without a warning, whatever happens to the nodes of the index. */
export function remoteConformance(name: string, open: () => Promise<RemoteWorld>): void {
  describe(`${name} as a remote index`, () => {
    let world: RemoteWorld
    beforeAll(async () => {
      world = await open()
      await world.settle()
    })
    afterEach(async () => {
      world.catchUp()
      await backAgain(world)
    })
    afterAll(() => world.close())

    /** Writes one memory at a time, so that each is an entry of the log. */
    async function apples(): Promise<Corpus> {
      const corpus = await Corpus.of(world)
      for (const n of NUMBERS) {
        await corpus.add({ text: `apple ${n}`, vector: [1, n / 100] })
        await world.settle()
      }
      return corpus
    }

    test('a restart of all nodes hides nothing at any point of the replay, and searches say so', async () => {
      const corpus = await apples()
      const warned: boolean[] = []
      const steps = 10
      const perStep = Math.ceil(world.restart([0, 1, 2]) / steps)
      for (let step = 0; step < steps; step++, world.replay(perStep)) {
        // A new process has no memory of an outage, so it asks the index at every step.
        const fresh = corpus.in(await world.another())
        const { candidates, warning } = await fresh.candidates('apple', { vector: [1, 0] })
        expect(candidates.map(({ memoryId }) => corpus.textOf(memoryId)).sort()).toEqual(ALL)
        warned.push(warning !== undefined)
      }
      expect(warned).toEqual(Array(steps).fill(true))
    })

    test('a single node that replays its log is passed over', async () => {
      const corpus = await apples()
      world.restart([1])
      world.replay(3)
      for (let n = 0; n < 6; n++) {
        const { candidates, warning } = await corpus.candidates('apple', { vector: [1, 0] })
        expect([candidates.length, warning]).toEqual([ALL.length, undefined])
      }
    })

    test('followers that lag behind do not make a rebuild start again', async () => {
      const corpus = await apples()
      world.lag()
      expect(await world.rebuild()).toBe(1)
      world.catchUp()
      expect(await corpus.found('apple')).toEqual(ALL)
    })

    test('collections of another database are refused with a sentence, and nothing of theirs is found', async () => {
      const corpus = await apples()
      const foreign = await world.foreign()
      const own = await Corpus.of(foreign, 'pear of my own')
      const { candidates, warning } = await own.candidates('pear apple')
      expect([candidates.length, warning]).toEqual([1, expect.stringContaining('not available')])
      const { candidates: others, warning: none } = await corpus.candidates('pear apple')
      expect([others.length, none]).toEqual([ALL.length, undefined])
    })

    test('the index is asked outside of transactions', async () => {
      const corpus = await apples()
      let open = 0
      const query = corpus.query('apple')
      const proposal = await world.engine.propose?.(query, work =>
        corpus.read(async tx => {
          open++
          const result = await work(tx)
          open--
          return result
        }),
      )
      expect(open).toBe(0)
      expect(proposal).toBeDefined()
      // The proposal is for these words alone.
      const other = { ...corpus.query('pear'), ...(proposal ? { proposal } : {}) }
      const { candidates } = await corpus.read(tx => world.engine.candidates(tx, other))
      expect(candidates).toEqual([])
    })
  })
}

/** Waits until the pauses of an outage are over. */
async function backAgain(world: RemoteWorld): Promise<void> {
  const corpus = await Corpus.of(world)
  await until('searches use the index again', async () => {
    await world.settle()
    return (await corpus.candidates('anything')).warning === undefined
  })
}
