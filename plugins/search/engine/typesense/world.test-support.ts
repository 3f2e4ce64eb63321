import type { Database } from 'mneme/plugin'
import { migrateAll } from '../../../../core/boot/migrations.ts'
import { selectPlugins } from '../../../../core/boot/select.ts'
import { openStorage } from '../../../../core/db/storage.ts'
import { createLog } from '../../../../core/log.ts'
import { builtInPlugins } from '../../../../server/plugins.ts'
import { onEnd } from '../../../../test/support/closing.ts'
import { ownDatabaseUrl } from '../../../../test/support/database.ts'
import type { EngineWorld } from '../conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../postgres/index.ts'
import { FAKE_KEY, FakeTypesense } from './fake/cluster.test-support.ts'
import { openTypesenseEngine, type TypesenseEngine, type TypesenseOptions } from './index.ts'

export interface TypesenseWorld extends EngineWorld {
  readonly engine: TypesenseEngine
  readonly fake: FakeTypesense
  /** Opens the same engine as another process would. */
  another(): Promise<TypesenseEngine>
}

export interface WorldOptions {
  readonly nodes?: number
  readonly host: string
  readonly graceMs?: number
}

/** Opens an engine with its own fake Typesense on its own database, because the queue belongs to one index. */
export async function openWorld({ nodes = 1, host, graceMs = 0 }: WorldOptions): Promise<TypesenseWorld> {
  const fake = new FakeTypesense(nodes, host)
  await fake.start()
  const database = await openDatabase(await ownDatabaseUrl())
  const another = () => openOn(database, fake.urls, FAKE_KEY, graceMs)
  return { database, fake, another, engine: await another() }
}

/** Opens a database with all migrations but without a service, whose upkeep would interfere with that of the tests. */
export async function openDatabase(databaseUrl: string): Promise<Database> {
  const log = createLog('silent')
  const storage = await openStorage({ databaseUrl, dataDir: '', poolSize: 6, log, onFatal: () => undefined })
  onEnd(() => storage.close())
  await migrateAll(storage, selectPlugins(builtInPlugins, [], []))
  return storage.database
}

export async function openOn(
  database: Database,
  urls: readonly string[],
  apiKey: string,
  graceMs?: number,
  further: Pick<TypesenseOptions, 'alias' | 'recall' | 'quietMs'> = {},
): Promise<TypesenseEngine> {
  return openTypesenseEngine({
    database,
    postgres: await openPostgresEngine(database),
    urls,
    apiKey,
    log: createLog('silent'),
    quietMs: 0,
    ...(graceMs === undefined ? {} : { graceMs }),
    ...further,
  })
}

/** Runs upkeep until the first collection is in use and nothing is pending. */
export async function settle({ upkeep }: TypesenseEngine): Promise<void> {
  for (let run = 0; run < 100; run++) {
    await upkeep.run()
    if (upkeep.serving && !upkeep.building && upkeep.size.waiting === 0) return
  }
  throw new Error('the index does not settle')
}

/** Wraps a world so that everything is sent after each transaction. */
export function settled(world: EngineWorld & { engine: TypesenseEngine }): EngineWorld {
  const { database, engine } = world
  return {
    engine,
    database: {
      ...database,
      async workspace(workspaceId, work) {
        const result = await database.workspace(workspaceId, work)
        await settle(engine)
        return result
      },
    },
  }
}
