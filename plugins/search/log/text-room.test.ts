import { beforeAll, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { createLog } from '../../../core/log.ts'
import { service } from '../../../test/support/service.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { QueryLog, TextRoom } from './query-log.ts'
import { searched } from './searched.test-support.ts'
import { createSearchStatistics } from './statistics.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

test('a workspace has room for many texts at once, and then for a few each second', () => {
  const room = new TextRoom()
  const kept = (texts: number, now: number, workspaceId = 'flood') =>
    Array.from({ length: texts }, () => room.take(workspaceId, 1000, now)).filter(Boolean).length
  expect(kept(3000, 0)).toBe(2000)
  // A text without room takes none, so a flood leaves nothing to be made up for.
  expect(kept(3000, 0)).toBe(0)
  expect(kept(3000, 50_000)).toBe(10)
  expect(kept(3000, 50_000, 'another')).toBe(2000)
  expect(kept(3000, 20_000_000)).toBe(2000)
})

test('logs a flood of texts by its hashes and figures, which go with the text they are of', async () => {
  const { database } = await service()
  const log = new QueryLog(database, createLog('silent'))
  const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
  const { workspaceId } = corpus
  const [secret = ''] = await corpus.add("Ada's PIN is 4711")
  log.add(searched(workspaceId, "what? Ada's PIN is 4711", { queryHash: 'pin' }))
  // Much longer than a query may be, which spares the test thousands of them.
  log.add(searched(workspaceId, 'x'.repeat(1_999_900), { queryHash: 'flood' }))
  for (const queryHash of ['pin', 'tea']) log.add(searched(workspaceId, 'y'.repeat(200), { queryHash }))
  log.add(searched(v7(), 'of another workspace'))
  await log.flush()
  const read = async () => [
    ...(await database.workspace(
      workspaceId,
      tx => tx<{ query_hash: string; has_text: boolean; length: number }[]>`
        select query_hash, has_text, length(query) as length
        from search.query_log
        where workspace_id = ${workspaceId} and query_hash <> 'flood'
        order by id`,
    )),
  ]
  const tea = { query_hash: 'tea', has_text: false, length: 0 }
  expect(await read()).toEqual([
    { query_hash: 'pin', has_text: true, length: 23 },
    { query_hash: 'pin', has_text: false, length: 0 },
    tea,
  ])
  const { byQuery, texts } = createSearchStatistics({ ofQuery: () => Promise.reject(new Error('not asked')) })
  const figures = await database.workspace(workspaceId, async tx => ({
    counted: await byQuery(tx, workspaceId, new Date(0), new Date(Date.now() + 60_000), {
      frequent: 1,
      zero: 1,
      weak: 1,
    }),
    texts: await texts(tx, workspaceId, ['pin', 'tea']),
  }))
  expect(figures.counted).toContainEqual({ queryHash: 'pin', searches: 2, zero: 0, scored: 2, scoreSum: 1 })
  expect([...figures.texts]).toEqual([['pin', "what? Ada's PIN is 4711"]])
  await corpus.write(tx => log.forget(tx, workspaceId, [secret]))
  expect(await read()).toEqual([tea])
})
