import { backlogOf, backlogSources, definePlugin, extend, filePieces, PLUGIN_API_VERSION } from 'mneme/plugin'
import { readingInstructions } from '../graph/contract.ts'
import { archiveSections, memoryClearing } from '../memories/contract.ts'
import { createArchiveSection } from './archive/section.ts'
import { ingestErrors } from './errors.ts'
import { ingestEvents } from './events.ts'
import { clearJobs, forgetDeleted } from './forget.ts'
import { instructionsFor } from './queries/jobs.ts'
import { ingestRetention } from './retention.ts'
import { cancelJobRoute } from './routes/cancel-job.ts'
import { createJobRoute } from './routes/create-job.ts'
import { deleteJobRoute } from './routes/delete-job.ts'
import { getJobRoute } from './routes/get-job.ts'
import { listJobMemoriesRoute } from './routes/list-job-memories.ts'
import { listJobsRoute } from './routes/list-jobs.ts'
import { FEATURE, type IngestScope } from './scope.ts'
import { ingestConfig, ingestFaults, readersOf } from './settings.ts'
import { READING_MS_MAX } from './steps/read.ts'
import { ReadingPlaces } from './steps/reading-places.ts'
import { EXCHANGED_TOGETHER_MAX } from './steps/swap.ts'
import { advanceTask } from './tasks/advance.ts'
import { fetchTask } from './tasks/fetch.ts'
import { requeueTask } from './tasks/requeue.ts'
import { openQueue, RANKS } from './work.ts'

/** Makes memories of files and pages. */
export const ingestPlugin = definePlugin({
  id: 'ingest',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  // Its reader is told what a document's instructions say.
  optional: ['graph'],
  feature: FEATURE,
  features: [{ name: FEATURE, description: 'Memories made of files and web pages.', plans: ['pro', 'scale'] }],
  permissions: [
    {
      name: 'Ingest',
      permissions: {
        'ingest.write': 'Submit files and web pages.',
        'ingest.read': 'Follow the progress of submitted files and web pages.',
      },
    },
  ],
  config: ingestConfig,
  checkConfig: ingestFaults,
  migrations: new URL('./sql/', import.meta.url),
  errors: ingestErrors,
  emits: ingestEvents,
  routes: [createJobRoute, listJobsRoute, getJobRoute, listJobMemoriesRoute, cancelJobRoute, deleteJobRoute],
  tasks: [advanceTask, fetchTask, requeueTask],
  cron: [{ schedule: '* * * * *', task: 'ingest:requeue' }],
  subscriptions: [forgetDeleted],
  retention: ingestRetention,
  subjects: [
    {
      table: 'ingest.job',
      column: 'user_id',
      parts: ['ingest.chunk', 'ingest.piece', 'ingest.work'].map(table => ({ table, column: 'job_id' })),
    },
  ],
  setup({ config, database, tenants, jobs, quarantine, events, wiring, outgoing, log, metrics }) {
    const measure = { registry: metrics, database }
    const scope: IngestScope = {
      database,
      tenants,
      jobs,
      quarantine,
      events,
      wiring,
      outgoing,
      log,
      work: openQueue(RANKS.reading, measure),
      fetches: openQueue(RANKS.fetching, measure),
      files: filePieces({ table: 'ingest.piece', key: 'job_id' }),
      readers: readersOf(config),
      places: new ReadingPlaces(),
      readingMsMax: READING_MS_MAX,
      exchangedTogetherMax: EXCHANGED_TOGETHER_MAX,
    }
    return {
      scope,
      extensions: [
        extend(memoryClearing, clearJobs),
        extend(archiveSections, createArchiveSection(scope)),
        extend(backlogSources, backlogOf({ kind: 'imports', table: 'ingest.job', since: 'created_at' })),
        extend(readingInstructions, { instructionsFor }),
      ],
    }
  },
})
