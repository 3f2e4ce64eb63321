import { beforeAll, describe, expect, test } from 'bun:test'
import type { Database } from 'mneme/plugin'
import { v7 } from 'uuid'
import { createLog } from '../../../core/log.ts'
import { NATIVE_URL } from '../../../test/support/database.ts'
import { gate } from '../../../test/support/gate.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { QueryLog } from './query-log.ts'
import { logged, searched } from './searched.test-support.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

async function world() {
  const { database } = await service()
  const log = new QueryLog(database, createLog('silent'))
  return { database, log, corpus: await Corpus.of({ database, engine: await openPostgresEngine(database) }) }
}

describe('the log of searches', () => {
  test('loses, and leaves out, those that contain a forgotten text, which no document need have', async () => {
    const { database, log, corpus } = await world()
    const { workspaceId } = corpus
    const elsewhere = v7()
    const holding = ["what? ada's pin is 4711!", 'open path C:\\temp\\x now', '東京タワーに登りました']
    for (const query of [...holding, 'the PIN of Ada']) log.add(searched(workspaceId, query))
    log.add(searched(elsewhere, "Ada's PIN is 4711"))
    await log.flush()
    const server = new QueryLog(database, createLog('silent'))
    for (const query of ["Ada's PIN is 4711 again", 'green tea']) server.add(searched(workspaceId, query))
    const texts = ["Ada's PIN is 4711", 'path C:\\temp\\x', '東京タワーに登りました', '', 'word '.repeat(9_999)]
    await corpus.write(tx => log.forgetTexts(tx, workspaceId, texts))
    await server.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(['the PIN of Ada', 'green tea'])
    expect(await logged(database, elsewhere)).toHaveLength(1)
  })

  test('is written without a look at deletions from before its searches', async () => {
    const { database, corpus } = await world()
    const { workspaceId } = corpus
    await corpus.write(
      tx => tx`
        insert into search.forgotten_text (workspace_id, forgotten_at, length)
        select ${workspaceId}::uuid, now() - interval '10 minutes', 1 from generate_series(1, 3000)`,
    )
    // Without statistics, which autovacuum brings within a minute, an index is chosen by chance.
    await database.system(tx => tx`analyze search.forgotten_text`)
    let read = 0
    const counting: Database = {
      ...database,
      system: work =>
        database.system(async tx => {
          const before = await rowsRead(tx, 'search', 'forgotten_text')
          const result = await work(tx)
          read = (await rowsRead(tx, 'search', 'forgotten_text')) - before
          return result
        }),
    }
    const log = new QueryLog(counting, createLog('silent'))
    const queries = Array.from({ length: 20 }, (_, n) => `green tea ${n}`)
    for (const query of queries) log.add(searched(workspaceId, query))
    await log.flush()
    expect((await logged(database, workspaceId)).map(row => row.query)).toEqual(queries)
    expect(read).toBe(0)
  })

  // The embedded database runs one transaction at a time, so no flush is under way when a deletion begins.
  if (NATIVE_URL)
    test.each(['indexed', 'former'])(
      'loses the %s text that a flush under way has written when the deletion begins',
      async kind => {
        const { database, log, corpus } = await world()
        const { workspaceId } = corpus
        const [id = ''] = await corpus.add("Ada's PIN is 4711")
        const written = gate()
        const slow: Database = {
          ...database,
          system: work =>
            database.system(async tx => {
              const result = await work(tx)
              written.open()
              await until('the deletion to wait for it', async () => {
                const waiting = await tx`
                select 1
                from pg_locks lock
                where not lock.granted
                  and pg_backend_pid() = any(pg_blocking_pids(lock.pid))`
                return waiting.length > 0
              })
              return result
            }),
        }
        const server = new QueryLog(slow, createLog('silent'))
        server.add(searched(workspaceId, "what? Ada's PIN is 4711"))
        const flush = server.flush()
        await written.opened
        await corpus.write(tx =>
          kind === 'indexed'
            ? log.forget(tx, workspaceId, [id])
            : log.forgetTexts(tx, workspaceId, ["Ada's PIN is 4711"]),
        )
        await flush
        expect(await logged(database, workspaceId)).toHaveLength(0)
      },
    )
})
