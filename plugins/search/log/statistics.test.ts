import { beforeAll, expect, test } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import { service } from '../../../test/support/service.ts'
import type { SearchMode } from '../../memories/contract.ts'
import type { EmptySearch } from '../contract.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { type LoggedSearch, QueryLog } from './query-log.ts'
import { searched } from './searched.test-support.ts'
import { createSearchStatistics } from './statistics.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

test('an empty search matches now by the rule of its mode', async () => {
  const { database } = await service()
  const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) }, 'green tea', 'run ls -la')
  const { workspaceId } = corpus
  const log = new QueryLog(database, createLog('silent'))
  const add = (mode: SearchMode, query: string, fields: Partial<LoggedSearch> = {}) => {
    const queryHash = `${mode} ${query}`
    log.add(searched(workspaceId, query, { queryHash, mode, results: 0, bestScore: null, ...fields }))
    return queryHash
  }
  const hashes = [
    ...['teas', 'tea coffee', 'coffee', '"green tea"', 'tea -coffee', 'tea -green', '-green', '!!!'].map(query =>
      add('keyword', query),
    ),
    ...['tea coffee', 'coffee', 'ls -la'].map(query => add('semantic', query)),
  ]
  await log.flush()
  const tenant = {
    workspaceId,
    transaction: work => database.workspace(workspaceId, work),
  } satisfies Omit<Tenant, 'workspace'> as Tenant
  const empty = await createSearchStatistics(englishOnly).emptySearches(tenant, hashes)
  const those = (is: (search: EmptySearch) => boolean) => [...empty].flatMap(([hash, one]) => (is(one) ? [hash] : []))
  expect(those(({ matchesNow }) => matchesNow)).toEqual([
    'keyword teas',
    'keyword "green tea"',
    'keyword tea -coffee',
    'semantic tea coffee',
    'semantic ls -la',
  ])
  expect(those(({ isExcluded }) => isExcluded)).toEqual(['keyword tea -green', 'keyword -green'])
})

test('a query is shown as it was last typed, but for spaces', async () => {
  const { database } = await service()
  const workspaceId = await Corpus.of({ database, engine: await openPostgresEngine(database) }, 'tea').then(
    corpus => corpus.workspaceId,
  )
  const log = new QueryLog(database, createLog('silent'))
  const add = (query: string, createdAt: Date) => log.add(searched(workspaceId, query, { queryHash: 'one', createdAt }))
  add('green tea', new Date(Date.now() - 1000))
  add('  Green\n  TEA ', new Date())
  await log.flush()
  const texts = await database.workspace(workspaceId, tx =>
    createSearchStatistics(englishOnly).texts(tx, workspaceId, ['one']),
  )
  expect([...texts]).toEqual([['one', 'Green TEA']])
})
