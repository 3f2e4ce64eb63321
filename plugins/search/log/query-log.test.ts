import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { v7 } from 'uuid'
import { outsideTransaction } from '../../../core/db/database.ts'
import { createLog } from '../../../core/log.ts'
import { gate } from '../../../test/support/gate.ts'
import { purge, retentionsOf } from '../../../test/support/retention.ts'
import { service } from '../../../test/support/service.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { searchPlugin } from '../index.ts'
import { QueryLog } from './query-log.ts'
import { logged, searched } from './searched.test-support.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

async function world() {
  const { database } = await service()
  return { database, log: new QueryLog(database, createLog('silent')) }
}

describe('QueryLog', () => {
  test('writes added searches of all workspaces once', async () => {
    const { database, log } = await world()
    const [one, other] = [v7(), v7()]
    log.add(searched(one, 'tea\'s \\ and "more"'))
    log.add(searched(other, 'nothing', { results: 0, bestScore: null }))
    await log.flush()
    await log.flush()
    expect(await logged(database, one)).toMatchObject([{ query: 'tea\'s \\ and "more"', results: 3, best_score: 0.5 }])
    expect(await logged(database, other)).toMatchObject([{ query: 'nothing', results: 0, best_score: null }])
  })

  test('keeps unwritten searches for the next flush', async () => {
    const { database } = await world()
    const workspaceId = v7()
    let down = true
    const flaky: Database = {
      ...database,
      system: work => (down ? Promise.reject(new Error('down')) : database.system(work)),
    }
    const log = new QueryLog(flaky, createLog('silent'))
    log.add(searched(workspaceId, 'first'))
    await expect(log.flush()).rejects.toThrow('down')
    log.add(searched(workspaceId, 'second'))
    down = false
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['first', 'second'])
  })

  test('writes searches once whose flush is repeated because its reply was lost', async () => {
    const { database } = await world()
    const workspaceId = v7()
    const warnings: object[] = []
    let isLost = true
    const flaky: Database = {
      ...database,
      async system(work) {
        const result = await database.system(work)
        if (isLost) throw new Error('connection lost')
        return result
      },
    }
    const log = new QueryLog(flaky, { warn: (given: object) => void warnings.push(given) })
    for (const query of ['first', 'second']) log.add(searched(workspaceId, query))
    await expect(log.flush()).rejects.toThrow('connection lost')
    isLost = false
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['first', 'second'])
    expect(warnings).toEqual([])
  })

  test('holds searches until their flush has its turn, so that feedback still finds their texts', async () => {
    const { database } = await world()
    const workspaceId = v7()
    const turn = gate()
    const log = new QueryLog(
      { ...database, system: async work => turn.opened.then(() => database.system(work)) },
      createLog('silent'),
    )
    log.add(searched(workspaceId, 'first'))
    const flush = log.flush()
    expect(log.waitingText(workspaceId, 'hash')).toBe('first')
    turn.open()
    await flush
    expect(log.waitingText(workspaceId, 'hash')).toBeUndefined()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['first'])
  })

  test('drops searches that the database refuses, and writes the rest of the batch', async () => {
    const { database, log } = await world()
    const workspaceId = v7()
    log.add(searched(workspaceId, 'before'))
    log.add(searched(workspaceId, 'NUL \u0000 and half a pair \ud800'))
    log.add(searched(workspaceId, 'more results than an integer holds', { results: 2 ** 40 }))
    log.add(searched(workspaceId, 'after'))
    await log.flush()
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['before', 'after'])
  })

  test('a search that the database refuses never fails a deletion', async () => {
    const { database, log } = await world()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const [id = ''] = await corpus.add('a text to forget')
    log.add(searched(corpus.workspaceId, 'a text to forget \u0000'))
    log.add(searched(corpus.workspaceId, 'A text, to forget!'))
    log.add(searched(corpus.workspaceId, 'another'))
    await corpus.write(tx => log.forget(tx, corpus.workspaceId, [id]))
    await log.flush()
    expect((await logged(database, corpus.workspaceId)).map(row => row.query)).toEqual(['another'])
  })

  test('deletes searches that contain the text of a removed memory, buffered ones included, and no others', async () => {
    const { database, log } = await world()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const { workspaceId } = corpus
    const [secret = '', quoted = ''] = await corpus.add("Ada's PIN is 4711", 'path C:\\temp\\x', 'unrelated')
    log.add(searched(workspaceId, "what? ada's pin is 4711!"))
    log.add(searched(workspaceId, 'open path C:\\temp\\x now'))
    log.add(searched(workspaceId, 'what is the PIN of Ada'))
    log.add(searched(v7(), "Ada's PIN is 4711"))
    await log.flush()
    log.add(searched(workspaceId, "Ada's PIN is 4711 again"))
    await corpus.write(tx => log.forget(tx, workspaceId, [secret, quoted]))
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['what is the PIN of Ada'])
  })

  test('leaves out searches from before a deletion that may contain the text, whichever server has them', async () => {
    const { database, log } = await world()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const { workspaceId } = corpus
    const [secret = ''] = await corpus.add("Ada's PIN is 4711")
    const other = new QueryLog(database, createLog('silent'))
    other.add(searched(workspaceId, "what? Ada's PIN is 4711"))
    other.add(searched(workspaceId, 'green tea'))
    const elsewhere = v7()
    other.add(searched(elsewhere, "Ada's PIN is 4711, says another workspace"))
    await corpus.write(tx => log.forget(tx, workspaceId, [secret]))
    // It began before the deletion and ends after it.
    other.add(searched(workspaceId, "Ada's PIN is 4711?", { startedAt: performance.now() - 60_000 }))
    other.add(searched(workspaceId, 'a search with many words after it', { startedAt: performance.now() + 60_000 }))
    await other.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual([
      'green tea',
      'a search with many words after it',
    ])
    expect(await logged(database, elsewhere)).toHaveLength(1)
  })

  test('leaves out a search from before a deletion though the clock was put back after it', async () => {
    const { database, log } = await world()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const [secret = ''] = await corpus.add("Ada's PIN is 4711")
    log.add(searched(corpus.workspaceId, "Ada's PIN is 4711?"))
    await corpus.write(tx => new QueryLog(database, createLog('silent')).forget(tx, corpus.workspaceId, [secret]))
    setSystemTime(new Date(Date.now() - 3_600_000))
    await log.flush().finally(() => setSystemTime())
    expect(await logged(database, corpus.workspaceId)).toHaveLength(0)
  })

  test('keeps searches whose deletion did not commit', async () => {
    const { database, log } = await world()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const { workspaceId } = corpus
    const [secret = ''] = await corpus.add('the old plan')
    log.add(searched(workspaceId, 'the old plan?'))
    const broken = corpus.write(async tx => {
      await log.forget(tx, workspaceId, [secret])
      throw new Error('rolled back')
    })
    await expect(broken).rejects.toThrow('rolled back')
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['the old plan?'])
    log.add(searched(workspaceId, 'tea'))
    await corpus.write(tx => log.forget(tx, workspaceId, [secret]))
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['tea'])
  })

  test('a deletion postpones the flushes of all servers, but no other deletion', async () => {
    const { database, log } = await world()
    // On the embedded database transactions take turns, so that nothing happens while one is open.
    const isConcurrent = await database.isConcurrent()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const { workspaceId } = corpus
    const [one = '', other = ''] = await corpus.add('the old plan of ours', 'the new plan of ours')
    const server = new QueryLog(database, createLog('silent'))
    for (const own of [log, server]) own.add(searched(workspaceId, 'the old plan'))
    const meanwhile = async () => {
      await log.flush()
      await server.flush()
      await corpus.write(tx => log.forget(tx, workspaceId, [other]))
      return logged(database, workspaceId)
    }
    const during = await corpus.write(async tx => {
      await log.forget(tx, workspaceId, [one])
      return isConcurrent ? outsideTransaction(meanwhile) : []
    })
    expect(during).toEqual([])
    await log.flush()
    await server.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['the old plan', 'the old plan'])
  })

  test('a flush of thousands of workspaces takes no more locks than a server has room for', async () => {
    const { database } = await world()
    const workspaces = Array.from({ length: 3_000 }, () => v7())
    let locks = 0
    const counting: Database = {
      ...database,
      system: work =>
        database.system(async tx => {
          const result = await work(tx)
          const [held] = await tx<{ count: number }[]>`
            select count(*) as count from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
          locks = held?.count ?? 0
          return result
        }),
    }
    const many = new QueryLog(counting, createLog('silent'))
    for (const workspaceId of workspaces) many.add(searched(workspaceId, 'tea'))
    await many.flush()
    expect(locks).toBeWithin(1, 1025)
    expect(await logged(database, workspaces[0] ?? '')).toHaveLength(1)
  })

  test('forgets an hour later that something was deleted', async () => {
    const { database, log } = await world()
    const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) })
    const { workspaceId } = corpus
    for (const age of ['59 minutes', '61 minutes']) {
      const [id = ''] = await corpus.add('a text')
      await corpus.write(tx => log.forget(tx, workspaceId, [id]))
      await database.system(
        tx => tx`
          update search.forgotten_text set forgotten_at = now() - ${age}::interval
          where workspace_id = ${workspaceId} and forgotten_at > now() - interval '1 minute'`,
      )
    }
    await purge(database, retentionsOf(searchPlugin, { config: { SEARCH_LOG_DAYS: 100 } }), workspaceId)
    const kept = await database.workspace(workspaceId, tx => tx`select from search.forgotten_text`)
    expect(kept).toHaveLength(1)
  })

  test('is purged by age, sooner where the workspace keeps its data for fewer days', async () => {
    const { database, log } = await world()
    const { account } = await service()
    const { workspaceId } = await account()
    const strict = await account()
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    for (const id of [workspaceId, strict.workspaceId]) {
      for (const days of [1, 20, 200]) log.add(searched(id, `${days}`, { createdAt: daysAgo(days) }))
    }
    await log.flush()
    const retentions = retentionsOf(searchPlugin, { config: { SEARCH_LOG_DAYS: 100 } })
    await purge(database, retentions, workspaceId)
    await purge(database, retentions, strict.workspaceId, { retention_days: 10 })
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['1', '20'])
    expect((await logged(database, strict.workspaceId)).map(row => row.query)).toEqual(['1'])
  })
})
