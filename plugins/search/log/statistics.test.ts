import { beforeAll, expect, test } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import { service } from '../../../test/support/service.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { createSearchStatistics } from './statistics.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

test('a query is held where a memory has what it names, read as in either mode', async () => {
  const { database } = await service()
  const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) }, 'green tea', 'run ls -la')
  const tenant = {
    workspaceId: corpus.workspaceId,
    transaction: work => database.workspace(corpus.workspaceId, work),
  } satisfies Omit<Tenant, 'workspace'> as Tenant
  const { held } = createSearchStatistics(englishOnly)
  const queries = ['teas', 'coffee', '"green tea"', 'tea -coffee', 'tea -green', 'ls -la', '-coffee', '!!!']
  expect([...(await held(tenant, queries))].sort()).toEqual(['"green tea"', 'ls -la', 'tea -coffee', 'teas'])
})
