import {
  backlogOf,
  backlogSources,
  bind,
  definePlugin,
  extend,
  PLUGIN_API_VERSION,
  type PluginContext,
  Portion,
  type Tx,
  workspaceOf,
} from 'mneme/plugin'
import { createArchive } from './archive/archive.ts'
import { measureCatchUp } from './catch-up/measure.ts'
import { Presence } from './catch-up/presence.ts'
import { reprocessCommand } from './commands/reprocess.ts'
import {
  archiveSections,
  type MemoryReader,
  type MemoryRecord,
  type MemoryWriter,
  memoryArchive,
  memoryAttribution,
  memoryClearing,
  memoryFeedback,
  memoryFields,
  memoryFilters,
  memoryHoldings,
  memoryIntake,
  memoryParts,
  memoryProcessing,
  memoryReader,
  memoryStatistics,
  memoryWriteHooks,
  memoryWriter,
  userErasers,
} from './contract.ts'
import { memoryErrors, memoryFailure } from './errors.ts'
import { memoryEvents } from './events.ts'
import { ProcessingBatches } from './processing/batches.ts'
import { measureFailed } from './processing/measure-failed.ts'
import { processMemories } from './processing/pass.ts'
import { PASS_CHARACTERS_MAX } from './processing/pass-size.ts'
import { findTextAt } from './queries/history.ts'
import { countByCategory, findFirstCreation } from './queries/overview.ts'
import { countVisible, findRecords, findStandings, findStatuses, findVisible } from './queries/read.ts'
import { AccessCounter } from './reading/access-counter.ts'
import { AddedFields } from './reading/added-fields.ts'
import { expiredWith } from './reading/expired-with.ts'
import { readHoldings } from './reading/holdings.ts'
import { toListItem } from './reading/serializers.ts'
import { statusFilter } from './reading/status-filter.ts'
import { removeMemories } from './removing/remove.ts'
import { memoryRetention } from './removing/retention.ts'
import { createBatchRoute } from './routes/create-batch.ts'
import { createMemoryRoute } from './routes/create-memory.ts'
import { deleteAllRoute } from './routes/delete-all.ts'
import { deleteMemoryRoute } from './routes/delete-memory.ts'
import { eraseNamedUserRoute, eraseUserRoute } from './routes/erase-user.ts'
import { getErasureRoute } from './routes/get-erasure.ts'
import { getMemoryRoute } from './routes/get-memory.ts'
import { getProfileRoute } from './routes/get-profile.ts'
import { giveFeedbackRoute } from './routes/give-feedback.ts'
import { listCategoriesRoute } from './routes/list-categories.ts'
import { listEntitiesRoute } from './routes/list-entities.ts'
import { listHistoryRoute } from './routes/list-history.ts'
import { listMemoriesRoute } from './routes/list-memories.ts'
import { listUsersRoute } from './routes/list-users.ts'
import { promoteMemoryRoute } from './routes/promote-memory.ts'
import { reprocessMemoriesRoute } from './routes/reprocess-memories.ts'
import { reprocessMemoryRoute } from './routes/reprocess-memory.ts'
import { restoreMemoryRoute } from './routes/restore-memory.ts'
import { updateMemoryRoute } from './routes/update-memory.ts'
import type { MemoriesScope, MemoryServices, ProcessingJob } from './scope.ts'
import { memoriesConfig, parseDuration } from './settings/environment.ts'
import { memorySettings } from './settings/workspace.ts'
import { amendMemories } from './storing/amend.ts'
import { attribute } from './storing/attribution.ts'
import { prepareMemories } from './storing/create.ts'
import { isFailure, secretsIntake } from './storing/intake.ts'
import { createOrPromote } from './storing/promote.ts'
import { memoryQuota } from './storing/quota.ts'
import { restateMemories, statesSame } from './storing/restate.ts'
import { catchUpTask } from './tasks/catch-up.ts'
import { eraseUserTask, memorySubjects } from './tasks/erase-user.ts'
import { expireTask } from './tasks/expire.ts'
import { processBatchTask, processTask } from './tasks/process.ts'
import { reprocessTask } from './tasks/reprocess.ts'
import { requeueTask } from './tasks/requeue.ts'

/** Stores memories, keeps their history and takes them through processing. */
export const memoriesPlugin = definePlugin({
  id: 'memories',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  permissions: [
    {
      name: 'Memory',
      permissions: {
        'memory.read': 'List, search and view memories.',
        'memory.write': 'Create and update memories.',
        'memory.delete': 'Delete one memory or all.',
        'user.delete': 'Erase a user with everything that is kept of them.',
      },
    },
  ],
  quotas: [memoryQuota],
  workspaceSettings: memorySettings,
  config: memoriesConfig,
  migrations: new URL('./sql/', import.meta.url),
  errors: memoryErrors,
  emits: Object.values(memoryEvents),
  provides: [memoryReader, memoryWriter, memoryArchive, memoryAttribution, memoryStatistics],
  extensionPoints: [
    memoryIntake,
    memoryWriteHooks,
    memoryClearing,
    memoryProcessing,
    memoryParts,
    memoryFilters,
    memoryFields,
    memoryHoldings,
    memoryFeedback,
    archiveSections,
    userErasers,
  ],
  routes: [
    createMemoryRoute,
    createBatchRoute,
    listMemoriesRoute,
    listEntitiesRoute,
    listCategoriesRoute,
    getProfileRoute,
    getMemoryRoute,
    updateMemoryRoute,
    deleteMemoryRoute,
    deleteAllRoute,
    promoteMemoryRoute,
    reprocessMemoriesRoute,
    reprocessMemoryRoute,
    restoreMemoryRoute,
    giveFeedbackRoute,
    listHistoryRoute,
    listUsersRoute,
    eraseUserRoute,
    eraseNamedUserRoute,
    getErasureRoute,
  ],
  commands: [reprocessCommand],
  tasks: [processTask, processBatchTask, expireTask, requeueTask, reprocessTask, catchUpTask, eraseUserTask],
  cron: [
    { schedule: '* * * * *', task: 'memories:expire' },
    { schedule: '* * * * *', task: 'memories:requeue' },
    { schedule: '* * * * *', task: 'memories:catch-up' },
  ],
  retention: memoryRetention,
  subjects: memorySubjects,
  setup(context) {
    const scope = createScope(context, parseDuration(context.config.TASK_TTL))
    const presence = new Presence(context)
    measureCatchUp(context.metrics, context.database)
    measureFailed(context.metrics, context.database)
    return {
      scope,
      ports: [
        bind(memoryReader, createReader(scope)),
        bind(memoryWriter, createWriter(scope)),
        bind(memoryArchive, createArchive(scope)),
        bind(memoryAttribution, { attribute }),
        bind(memoryStatistics, {
          categories: countByCategory,
          beginning: findFirstCreation,
          expiredWith,
        }),
      ],
      extensions: [
        extend(memoryIntake, secretsIntake),
        extend(memoryFilters, statusFilter),
        extend(backlogSources, memoryBacklog),
      ],
      chores: [
        { name: 'memories.accesses', everyMs: 1000, flushes: true, run: () => scope.accesses.flush() },
        { name: 'memories.parts', everyMs: 1000, run: () => presence.run() },
      ],
    }
  },
})

const memoryBacklog = backlogOf({
  kind: 'memories',
  table: 'memories.memory',
  since: 'waiting_since',
  open: "item.live and item.status <> 'COMPLETED' and (item.expires_at is null or item.expires_at > now())",
})

/** A piece of a batch that is stored takes so many characters at least, in one transaction. */
const PIECE_CHARACTERS_MIN = 5_000
const PIECE_CHARACTERS_MAX = 65_536
/** A pass writes so many characters at least, however slow the database is: a quarter of what it reads at the most. */
const PASS_CHARACTERS_MIN = PASS_CHARACTERS_MAX / 4

function createScope(context: PluginContext<unknown>, taskTtlMs: number): MemoriesScope {
  const { database, tenants, events, jobs, wiring, quarantine, quotas, log } = context
  const storing = new Portion({ least: PIECE_CHARACTERS_MIN, most: PIECE_CHARACTERS_MAX })
  // Models work best on many texts at once, so passes may hold the database longer than requests do.
  const completing = new Portion({ least: PASS_CHARACTERS_MIN, most: PASS_CHARACTERS_MAX, targetMs: 100 })
  const kernel = { database, tenants, events, jobs, wiring, quarantine, quotas, log }
  const services: MemoryServices = { ...kernel, taskTtlMs, storing, completing }
  const pass = (workspaceId: string, part: readonly ProcessingJob[]) => processMemories(services, workspaceId, part)
  const batches = new ProcessingBatches(pass, completing)
  return {
    ...services,
    fields: new AddedFields(services),
    accesses: new AccessCounter(database),
    process: job => batches.add(job),
  }
}

function createReader({ accesses, fields, wiring }: MemoriesScope): MemoryReader {
  const holdings = (tx: Tx, records: readonly MemoryRecord[]) => readHoldings(tx, wiring, workspaceOf(tx), records)
  return {
    holdings,
    records: findRecords,
    visible: findVisible,
    countVisible,
    async listed(tx, ids) {
      const records = await findRecords(tx, ids)
      const known = await holdings(tx, records)
      return new Map(records.map(record => [record.id, toListItem(record, known.get(record.id))]))
    },
    async standing(tx, id) {
      const [standing] = (await findStandings(tx, [id])).values()
      if (!standing) throw memoryFailure('MEMORY_NOT_FOUND')
      return standing
    },
    standings: findStandings,
    statuses: findStatuses,
    textAt: findTextAt,
    withFields: (tenant, memories, place) => fields.add(tenant, memories, place),
    countAccess: (workspaceId, ids) => accesses.count(workspaceId, ids),
  }
}

function createWriter(scope: MemoriesScope): MemoryWriter {
  return {
    async prepare(tenant, memories) {
      const prepared = await prepareMemories(scope, tenant, memories)
      // A background writer has no caller to retry, so a failed hook must fail the whole call instead of losing memories.
      const failed = [...prepared.refused.values()].find(isFailure)
      if (failed) throw failed
      return prepared
    },
    create: (tx, tenant, memories) => createOrPromote(tx, scope, tenant, memories),
    amend: (tenant, amendments) => amendMemories(scope, tenant, amendments),
    restate: (tx, { workspaceId }, restatements) => restateMemories(tx, scope, workspaceId, restatements),
    statesSame,
    room: (tx, { workspace }, wanted) => scope.quotas.room(tx, workspace, memoryQuota.name, wanted),
    async remove(tx, tenant, ids) {
      if (ids.length === 0) return []
      const removed = await removeMemories(tx, scope, tenant.workspaceId, ids)
      return removed.map(({ id }) => id)
    },
  }
}
