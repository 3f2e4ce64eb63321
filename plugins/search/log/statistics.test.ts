import { beforeAll, expect, test } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import { service } from '../../../test/support/service.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { createSearchStatistics } from './statistics.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

test('a query is held where a memory has what it names, and one of exclusions alone names nothing', async () => {
  const { database } = await service()
  const corpus = await Corpus.of({ database, engine: await openPostgresEngine(database) }, 'green tea')
  const tenant = {
    workspaceId: corpus.workspaceId,
    transaction: work => database.workspace(corpus.workspaceId, work),
  } satisfies Omit<Tenant, 'workspace'> as Tenant
  const { held } = createSearchStatistics(englishOnly)
  const queries = ['teas', 'coffee', '"green tea"', 'tea -coffee', 'tea -green', '-coffee', '!!!']
  expect([...(await held(tenant, queries))].sort()).toEqual(['"green tea"', 'tea -coffee', 'teas'])
})
