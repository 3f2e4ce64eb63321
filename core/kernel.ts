import { administration } from './auth/administration.ts'
import { bootstrap, type FirstStart } from './auth/bootstrap.ts'
import { createPasswordConfirmation, passwordConfirmation } from './auth/confirm-password.ts'
import { createAdministration } from './auth/control/administration.ts'
import { endKeys } from './auth/control/keys.ts'
import { namesOf } from './auth/control/members.ts'
import type { HashCost } from './auth/password.ts'
import { permissionCatalogue } from './auth/permissions.ts'
import { settingsCatalogue } from './auth/settings-catalogue.ts'
import { ChoreRunner, type OwnedChore } from './boot/chores.ts'
import type { Configuration } from './boot/config.ts'
import { createContexts } from './boot/contexts.ts'
import { prepareDataDir } from './boot/data-dir.ts'
import { openEmbedder } from './boot/embedder.ts'
import { openKeyRing } from './boot/encryption-key.ts'
import { collectEntitlements } from './boot/entitlements.ts'
import { createHttp } from './boot/http.ts'
import { InFlight } from './boot/in-flight.ts'
import { migrateAll } from './boot/migrations.ts'
import { type PlanInput, plan } from './boot/plan.ts'
import { checkRequestRole, checkSessions } from './boot/request-role.ts'
import { createRunner, deliveryTasks, mountRetentions } from './boot/runner.ts'
import { checkSealedColumns } from './boot/sealed-columns.ts'
import { type PluginSelection, schemaOf } from './boot/select.ts'
import { createServices, type Services } from './boot/services.ts'
import { SETUP_LIMIT, type SetUpPlugin, setUpAll } from './boot/set-up.ts'
import { Shutdown } from './boot/shutdown.ts'
import { summarise } from './boot/summary.ts'
import type { TimeLimit } from './boot/time-limit.ts'
import type { Clock } from './clock.ts'
import type { MountedCommand } from './command.ts'
import type { CoreConfig } from './config.ts'
import { isUnavailable } from './db/database.ts'
import { openStorage } from './db/storage.ts'
import { actorNames, createEventLog, eventLog } from './events/event-log.ts'
import { subscribersChore } from './events/known-subscribers.ts'
import { LateFaults } from './faults/late-faults.ts'
import type { FetchHandler } from './http/app.ts'
import { countResponses, forgetResponses } from './http/idempotency.ts'
import { relayedFor } from './http/relay.ts'
import { permissionsOfSubjects } from './http/subject.ts'
import { measureQueue } from './jobs/queue-state.ts'
import { createLog, type Logger } from './log.ts'
import type { Network } from './outgoing/network.ts'
import { homeOf } from './pages/page-folder.ts'
import type { Chore } from './plugin.ts'
import { bind, Switchboard, type Wiring } from './ports.ts'
import type { ProcessMemory } from './resources/memory-watch.ts'
import { checkSubjects } from './subjects/check.ts'
import { createDataSubjects, dataSubjects } from './subjects/subjects.ts'
import { createUsageLog, usageLog } from './usage/usage-log.ts'

export interface KernelOptions extends PlanInput {
  /** `server` answers requests and, unless WORKERS is none, runs jobs; `worker` runs jobs only; `command` neither. */
  readonly role: 'server' | 'worker' | 'command'
  /** Called when the process cannot go on, e.g. the embedded database died. */
  onFatal(error: Error): void
  readonly log?: Logger
  /** Told at each step of a start what comes next; there are {@link START_STEPS}. */
  onStep?(next: string): void
  /** Called as soon as a first start has made secrets, whatever comes of the start after that. */
  onFirstStart?(firstStart: FirstStart): void
  /** Takes errors that nobody caught; the entry point feeds it. */
  readonly lateFaults?: LateFaults
  /** For tests: how long a plugin's `setup` may take. */
  readonly setupLimit?: TimeLimit
  /**
   * For tests: a response that does not fit its route's response schema becomes a 500, and data that does not fit the schema
   * of its event is not published.
   */
  readonly verifyResponses?: boolean
  /** For tests: replaces names, addresses and authorities of outgoing HTTP. */
  readonly network?: Partial<Network>
  /** For tests: replaces the clock by which waits for clients end. */
  readonly clock?: Clock
  readonly memory?: ProcessMemory
  /** A module whose `collectGarbage` the thread of the embedded database calls: each thread has garbage of its own. */
  readonly collector?: URL | undefined
  /** For tests: what the hash of the first account's password costs. */
  readonly hashCost?: HashCost
}

export interface Kernel {
  readonly config: CoreConfig
  readonly log: Logger
  readonly fetch: FetchHandler
  /** The secrets that the first start made, to be shown once; undefined on every later start. */
  readonly firstStart: FirstStart | undefined
  /** Operators can run these in a shell. */
  readonly commands: readonly MountedCommand[]
  /** Ports and contributions of all plugins. */
  readonly wiring: Wiring
  /** Tells people in plain lines what the service uses and what is off. */
  readonly summary: readonly string[]
  /** Path of the page that people begin with, where a plugin has one. */
  readonly home: string | undefined
  /** Begins a stop: `/ready` says so, and each connection ends with its next response. All else goes on until `stop`. */
  announceStop(): void
  /** Ends everything within 15 seconds: requests, then jobs, plugins in reverse, buffers, models, database. */
  stop(): Promise<void>
}

/** A start tells of so many steps. */
export const START_STEPS = 4

/** Boots everything in the order the architecture fixes; throws one clear error when it cannot. */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  const { selection, configuration, code } = await plan(options)
  options.lateFaults?.locate(code)
  const config = configuration.core
  const log = options.log ?? createLog(config.LOG_LEVEL, isUnavailable)
  if (options.role !== 'command') for (const sentence of configuration.idle) log.warn(sentence)
  if (!config.DATABASE_URL) await prepareDataDir(config.DATA_DIR)
  options.onStep?.('opening the database')
  // The model loads while the database is opened and made ready.
  const opening = [
    openEmbedder(config, log),
    openStorage({
      databaseUrl: config.DATABASE_URL,
      requestUrl: config.DATABASE_REQUEST_URL,
      dataDir: config.DATA_DIR,
      poolSize: config.DATABASE_POOL,
      log,
      onFatal: options.onFatal,
      collector: options.collector,
    }),
  ] as const
  // It is awaited after the database, and may fail before that.
  opening[0].catch(() => undefined)
  try {
    const storage = await opening[1]
    if (config.DATABASE_URL) await checkSessions(storage)
    options.onStep?.('bringing its tables up to date')
    await migrateAll(storage, selection)
    if (config.DATABASE_REQUEST_URL) await checkRequestRole(storage.database)
    await checkSealedColumns(storage.database, selection)
    await checkSubjects(
      storage.database,
      selection.loaded.map(plugin => ({ plugin, schema: schemaOf(plugin, selection) })),
    )
    options.onStep?.('loading the embedding model')
    const embedder = await opening[0]
    const keys = await openKeyRing(config, storage.database)
    const entitlements = collectEntitlements(selection, config)
    const { network = {}, memory } = options
    const services = await createServices({ config, storage, embedder, keys, entitlements, log, network, memory })
    return await assemble(options, selection, configuration, services)
  } catch (error) {
    await Promise.allSettled(opening.map(async opened => (await opened).close()))
    throw error
  }
}

async function assemble(
  options: KernelOptions,
  selection: PluginSelection,
  configuration: Configuration,
  services: Services,
): Promise<Kernel> {
  const { log } = services
  options.onStep?.('setting the plugins up')
  const wiring = new Switchboard()
  bindCorePorts(wiring, services, selection)
  const verifyEvents = options.verifyResponses ?? false
  const setUp: SetUpPlugin[] = []
  const scopeOf = (id: string) => setUp.find(({ plugin }) => plugin.id === id)?.parts
  const contextOf = createContexts({ services, wiring, selection, configuration, verifyEvents, scopeOf })
  try {
    await setUpAll({ selection, contextOf, wiring, limit: options.setupLimit ?? SETUP_LIMIT, log, done: setUp })
    return await begin({ options, selection, configuration, services, wiring, setUp })
  } catch (error) {
    const shutdown = new Shutdown(log)
    await shutdown.plugins(setUp)
    await shutdown.step('the language model', () => services.language.close())
    throw error
  }
}

interface BeginParts {
  readonly options: KernelOptions
  readonly selection: PluginSelection
  readonly configuration: Configuration
  readonly services: Services
  readonly wiring: Switchboard
  readonly setUp: readonly SetUpPlugin[]
}

/** Mounts what plugins handed back and begins to work. */
async function begin({ options, selection, configuration, services, wiring, setUp }: BeginParts): Promise<Kernel> {
  const { config, log } = services
  const lateFaults = options.lateFaults ?? new LateFaults(log)
  lateFaults.report(log, services.metrics.registry)
  measureQueue(services.metrics.registry, services.database)
  const runsJobs = options.role === 'worker' || (options.role === 'server' && config.WORKERS === 'inline')
  const retentions = await mountRetentions(setUp, services, configuration)
  const runner = runsJobs ? createRunner(setUp, services, retentions) : undefined
  const subscribers = subscribersChore(services.database, deliveryTasks(setUp))
  const chores = new ChoreRunner(
    choresFor(options.role, [...choresOfPlugins(setUp), ...coreChores(services, subscribers)]),
    log,
  )
  const inFlight = new InFlight()
  const isStopping = () => inFlight.isEnding
  const app = createHttp({ selection, setUp, services, wiring, runner, lateFaults, isStopping, options })
  // This comes after the plugins, so that none of them can end a start that has made secrets and not shown them.
  const firstStart = options.role === 'server' ? await firstStartOf(services, options) : undefined
  // An endpoint that is away must not keep the service down: words are found without it, and vectors
  // follow later.
  await services.embedder.ready().catch(error => log.warn({ err: error }, 'the embedder is not ready'))
  if (options.role !== 'command') await subscribers.run()
  await runner?.start()
  if (options.role !== 'command') chores.start()
  return {
    config,
    log,
    firstStart,
    commands: setUp.flatMap(commandsOf),
    fetch: request => inFlight.track(services.background.request(app(request))),
    wiring,
    summary: summarise(services, selection, runsJobs),
    home: homeOf(selection.loaded),
    announceStop: () => inFlight.endConnections(),
    async stop() {
      inFlight.endConnections()
      const shutdown = new Shutdown(log)
      await shutdown.step('requests', () => inFlight.drained(REQUEST_GRACE_MS))
      // Uploads and downloads that are still under way end here, while what they read from is still open.
      services.transfers.cutAll()
      await shutdown.step('uploads and downloads', () => inFlight.drained(CUT_GRACE_MS))
      await shutdown.step('jobs', () => runner?.stop(JOB_GRACE_MS))
      // A job that was given up may still wait for the model; it will be run again.
      await shutdown.step('the language model', () => services.language.close())
      await shutdown.step('outgoing HTTP', () => services.outgoing.close())
      await shutdown.plugins(setUp)
      await shutdown.step('chores', () => chores.stop(Math.min(CHORES_MS_MAX, shutdown.left(CHORES_MS_MIN))))
      await shutdown.step('the embedder', () => services.embedder.close())
      await shutdown.step('the database', () => services.storage.close(), CLOSE_MS_MIN)
      await shutdown.step('traces', () => services.tracing?.close(), TRACES_MS_MIN)
    },
  }
}

/** The secrets are shown as soon as they are made, since the rest of the start may fail. */
async function firstStartOf({ config, database, log }: Services, { onFirstStart, hashCost }: KernelOptions) {
  const firstStart = await bootstrap({ config, database, log, hashCost })
  if (firstStart) onFirstStart?.(firstStart)
  return firstStart
}

/** Together with closing the models and the database these stay inside the 15 seconds of a graceful stop. */
const REQUEST_GRACE_MS = 10_000
const CUT_GRACE_MS = 500
const JOB_GRACE_MS = 3500
const CHORES_MS_MIN = 1000
const CHORES_MS_MAX = 2500
const CLOSE_MS_MIN = 1500
const TRACES_MS_MIN = 500

function bindCorePorts(wiring: Switchboard, services: Services, { loaded, disabled }: PluginSelection) {
  const groups = [...loaded, ...disabled].flatMap(plugin => plugin.permissions ?? [])
  const asked = createPasswordConfirmation({ ...services, database: services.control, guard: services.passwordGuard })
  wiring.bind(
    'core',
    bind(passwordConfirmation, {
      confirm: async (caller, request) =>
        relayedFor(request)?.isConfirmed ? undefined : asked.confirm(caller, request),
    }),
  )
  wiring.bind('core', bind(administration, createAdministration(services)), { declared: true })
  const routes = [...loaded, ...disabled].flatMap(plugin => plugin.routes ?? [])
  const ofSubjects = permissionsOfSubjects(routes)
  wiring.bind('core', bind(permissionCatalogue, { groups: () => groups, ofSubjects: () => ofSubjects }))
  wiring.bind('core', bind(settingsCatalogue, services.settings))
  wiring.bind('core', bind(eventLog, createEventLog()))
  const names = (actors: readonly string[]) => services.control.system(tx => namesOf(tx, actors))
  wiring.bind('core', bind(actorNames, { of: async actors => (actors.length > 0 ? names(actors) : new Map()) }))
  wiring.bind('core', bind(usageLog, createUsageLog(services.usage)))
  const rows = [...loaded, ...disabled].flatMap(plugin => plugin.subjects ?? [])
  const parties = { database: services.database, rows, endKeys, countResponses, forgetResponses }
  wiring.bind('core', bind(dataSubjects, createDataSubjects(parties)))
}

function commandsOf({ plugin, parts }: SetUpPlugin): MountedCommand[] {
  return (plugin.commands ?? []).map(command => ({ owner: plugin.id, command, scope: parts.scope }))
}

/** A command polls for nothing; only what its own work buffered is written at its end. */
function choresFor(role: KernelOptions['role'], chores: readonly OwnedChore[]): readonly OwnedChore[] {
  return role === 'command' ? chores.filter(({ chore }) => chore.flushes) : chores
}

function choresOfPlugins(setUp: readonly SetUpPlugin[]): OwnedChore[] {
  return setUp.flatMap(({ plugin, parts }) => (parts.chores ?? []).map(chore => ({ owner: plugin.id, chore })))
}

function coreChores(services: Services, subscribers: Chore): OwnedChore[] {
  return [...choresOf(services), subscribers].map(chore => ({ owner: 'core', chore }))
}

function choresOf(services: Services): Chore[] {
  const { memory, usage, limiter, anonymousLimiter, authenticator, passwordGuard, storage, keyWatch } = services
  return [
    keyWatch.chore,
    memory.chore,
    { name: 'usage', everyMs: 1000, flushes: true, run: () => usage.flush() },
    { name: 'key-use', everyMs: 30_000, flushes: true, run: () => authenticator.flush() },
    { name: 'password-tries', everyMs: 3_600_000, run: () => passwordGuard.sweep(), atStop: false },
    ...(storage.maintain ? [{ name: 'vacuum', everyMs: 30_000, run: storage.maintain, atStop: false }] : []),
    ...(limiter ? [{ name: 'rate-limit', everyMs: 1000, run: () => limiter.sync() }] : []),
    ...(anonymousLimiter ? [{ name: 'anonymous-rate-limit', everyMs: 1000, run: () => anonymousLimiter.sync() }] : []),
  ]
}
