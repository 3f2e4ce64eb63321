import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Tx } from 'mneme/plugin'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { idleService } from '../../../test/support/service.ts'
import type { RelationType } from '../contract.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'
import { deriveEdges } from './derive-edges.ts'
import { evidenceAround, evidenceOfSources, evidenceOfTriples } from './read-evidence.ts'
import { edgesOf } from './writing.test-support.ts'

/** Statements that are looked at. */
const MAX = 4
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

let world: GraphWorld
let ada: string
let organizations: Record<'first' | 'initech' | 'acme' | 'globex', string>

beforeAll(async () => {
  world = await graphWorld()
  ada = await world.entity('Ada', 'PERSON')
  organizations = {
    first: await world.entity('First Employer', 'ORGANIZATION'),
    initech: await world.entity('Initech', 'ORGANIZATION'),
    acme: await world.entity('Acme', 'ORGANIZATION'),
    globex: await world.entity('Globex', 'ORGANIZATION'),
  }
})

const triple = (targetId: string, type: RelationType = 'WORKS_AT') => ({ sourceId: ada, targetId, type })
const derive = (targetId: string, type?: RelationType) =>
  world.read(tx =>
    deriveEdges(
      tx,
      { workspaceId: world.workspaceId, userId: 'ada' },
      { triples: [triple(targetId, type)], renamed: [] },
      day(60),
      MAX,
    ),
  )

/** @returns the memory that says it */
async function say(
  targetId: string,
  at: Date,
  type: RelationType = 'WORKS_AT',
  validFrom: Date | null = null,
): Promise<string> {
  const memory = randomUUID()
  await world.read(
    tx => tx`
      insert into graph.evidence (
        workspace_id, id, memory_id, user_id, source_id, target_id, type, confidence, closes, span_start, span_end, stated_at,
        valid_from
      )
      values (
        ${world.workspaceId}, ${randomUUID()}, ${memory}, 'ada', ${ada}, ${targetId}, ${type}, 0.5, false, 0, 1, ${at},
        ${validFrom}
      )`,
  )
  await derive(targetId, type)
  return memory
}

const edges = async () => edgesOf(await idleService(), world.workspaceId)
const unlinked = () =>
  world.read(
    tx => tx`
      select
      from graph.evidence
      where evidence.workspace_id = ${world.workspaceId}
        and not exists (
          select from graph.edge where edge.workspace_id = ${world.workspaceId} and edge.id = evidence.edge_id
        )`,
  )

describe('a relationship with more statements than are looked at', () => {
  test('holds since the first of them, on all of them', async () => {
    for (let n = 1; n <= 20; n++) await say(organizations.initech, day(n))
    expect(await edges()).toEqual(['Ada WORKS_AT Initech'])
    const rows = await world.read(
      tx => tx`select known_from from graph.edge where edge.workspace_id = ${world.workspaceId}`,
    )
    expect(rows.map(row => row.known_from)).toEqual([day(1)])
    expect(await unlinked()).toHaveLength(0)
  })

  test('is read by its oldest and newest statements alone', async () => {
    const { workspaceId } = world
    const reads = await world.read(tx =>
      Promise.all([
        evidenceOfSources(tx, workspaceId, [triple('')], MAX),
        evidenceOfTriples(tx, workspaceId, [triple(organizations.initech)], MAX),
        evidenceAround(tx, workspaceId, 'WORKS_AT', [ada], MAX),
        evidenceOfSources(tx, workspaceId, [triple('')], 20),
      ]),
    )
    for (const { evidence, partial } of reads.slice(0, 3)) {
      const days = evidence.map(({ statedAt }) => statedAt.getUTCDate()).toSorted((a, b) => a - b)
      expect([days, partial.size]).toEqual([[1, 2, 19, 20], 1])
    }
    expect([reads[3]?.evidence.length, reads[3]?.partial.size]).toEqual([20, 0])
  })

  test('costs a further one no more than these, however many there are', async () => {
    const { workspaceId } = world
    const eva = await world.entity('Eva', 'PERSON')
    const acme = { sourceId: eva, targetId: organizations.acme, type: 'WORKS_AT' } as const
    const settle = async (tx: Tx) =>
      deriveEdges(tx, { workspaceId, userId: 'ada' }, { triples: [acme], renamed: [] }, day(60), MAX)
    const tell = (tx: Tx, count: number) => tx`
      insert into graph.evidence (
        workspace_id, id, memory_id, user_id, source_id, target_id, type, confidence, closes, span_start, span_end, stated_at
      )
      select
        ${workspaceId}::uuid, gen_random_uuid(), gen_random_uuid(), 'ada', ${eva}::uuid, ${acme.targetId}::uuid, ${acme.type},
        0.5, false, 0, 1, clock_timestamp()
      from generate_series(1, ${count}::integer)`
    await world.read(async tx => {
      await tell(tx, 5000)
      await settle(tx)
    })
    const { database } = await idleService()
    await database.maintain('analyze graph.evidence')
    const read = await world.read(async tx => {
      await tell(tx, 1)
      const before = await rowsRead(tx, 'graph', 'evidence')
      await settle(tx)
      return (await rowsRead(tx, 'graph', 'evidence')) - before
    })
    expect(read).toBeLessThan(100)
    await world.read(tx => tx`delete from graph.evidence where evidence.source_id = ${eva}`)
    await world.read(settle)
  })

  test('ends with what takes its place, whenever that was said', async () => {
    await say(organizations.acme, day(21))
    expect(await edges()).toEqual(['-Ada WORKS_AT Initech', 'Ada WORKS_AT Acme'])
    const memory = await say(organizations.globex, day(10))
    expect(await edges()).toContain('-Ada WORKS_AT Globex')
    expect(await edges()).toContain('Ada WORKS_AT Acme')
    expect(await unlinked()).toHaveLength(0)
    await world.read(tx => tx`delete from graph.evidence where evidence.memory_id = ${memory}`)
    await derive(organizations.globex)
    expect(await edges()).toEqual(['-Ada WORKS_AT Initech', 'Ada WORKS_AT Acme'])
    expect(await unlinked()).toHaveLength(0)
  })

  test('that was over before what is left out stays as it was', async () => {
    const ended = async () => {
      const rows = await world.read(
        tx => tx`
          select edge.known_to
          from graph.edge
          where edge.workspace_id = ${world.workspaceId} and edge.target_id = ${organizations.first}`,
      )
      return rows.map(row => row.known_to)
    }
    await say(organizations.first, day(-5))
    expect(await ended()).toEqual([day(1)])
    await say(organizations.acme, day(-4))
    await say(organizations.initech, day(-3))
    expect(await ended()).toEqual([day(-4)])
    await say(organizations.acme, day(22))
    await say(organizations.acme, day(23))
    expect(await ended()).toEqual([day(-4)])
  })

  test('of other types stays what it is', async () => {
    for (const n of [20, 5, 1, 10, 15, 11, 12]) await say(organizations.acme, day(n), 'LIKES')
    expect(await edges()).toContain('Ada LIKES Acme')
    expect(await unlinked()).toHaveLength(0)
  })

  test('begins with what is left when its first statement is deleted', async () => {
    const begins = async () => {
      const [row] = await world.read(
        tx => tx`
          select edge.known_from, edge.valid_from
          from graph.edge
          where edge.workspace_id = ${world.workspaceId} and edge.type = 'VISITED'`,
      )
      return [row?.known_from, row?.valid_from]
    }
    const first = await say(organizations.globex, day(-20), 'VISITED', day(-90))
    for (const n of [1, 2, 3, 4, 5, 6]) await say(organizations.globex, day(n), 'VISITED')
    expect(await begins()).toEqual([day(-20), day(-90)])
    await world.read(tx => tx`delete from graph.evidence where evidence.memory_id = ${first}`)
    await derive(organizations.globex, 'VISITED')
    expect(await begins()).toEqual([day(1), null])
  })
})
