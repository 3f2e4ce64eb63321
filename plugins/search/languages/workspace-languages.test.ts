import { beforeAll, expect, test } from 'bun:test'
import type { JobQueue, Tenant, Workspace } from 'mneme/plugin'
import { v7 } from 'uuid'
import { service } from '../../../test/support/service.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { WorkspaceLanguages } from './workspace-languages.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

const noJobs: Pick<JobQueue, 'enqueue'> = {
  enqueue: () => Promise.reject(new Error('nothing is to be re-indexed')),
}

test.each(['before', 'after'])(
  'the language of a write that began %s the first read stays known until it commits',
  async order => {
    const { database } = await service()
    const engine = await openPostgresEngine(database)
    const languages = new WorkspaceLanguages(engine, database, noJobs as JobQueue)
    const workspace = { settings: {} } satisfies Partial<Workspace> as Workspace
    const tenant = { workspaceId: v7(), workspace } satisfies Partial<Tenant> as Tenant
    const ofQuery = () => languages.ofQuery(tenant, 'Haus')
    const reading = order === 'after' ? ofQuery() : undefined
    await languages.ofText(tenant, 'Die alten Häuser am Fluss werden nächstes Jahr verkauft')
    await (reading ?? ofQuery())
    expect(await ofQuery()).toEqual(['en', 'de'])
  },
)

test('a question that is too short to tell its language among all is told among those of the texts', async () => {
  const { database } = await service()
  const languages = new WorkspaceLanguages(await openPostgresEngine(database), database, noJobs as JobQueue)
  const workspace = { settings: {} } satisfies Partial<Workspace> as Workspace
  const tenant = { workspaceId: v7(), workspace } satisfies Partial<Tenant> as Tenant
  await languages.ofText(tenant, 'The old houses by the river will be sold next year')
  await languages.ofText(tenant, 'Le médecin m’a conseillé de marcher une heure par jour.')
  expect(await languages.ofQuery(tenant, 'Quel vin')).toEqual(['fr', 'en'])
  expect(await languages.ofQuery(tenant, 'Rust')).toEqual(['en', 'fr'])
})
