import { backlogOf, backlogSources, bind, DAY_MS, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { archiveSections, memoryProfiles, memoryWriteHooks } from '../memories/contract.ts'
import { createArchiveSection } from './archive/section.ts'
import { knowledgeErrors } from './errors.ts'
import { knowledgeEvents } from './events.ts'
import { createProfileSource } from './profile/source.ts'
import { compileKnowledgeRoute } from './routes/compile-knowledge.ts'
import { deleteKnowledgeRoute } from './routes/delete-knowledge.ts'
import { deleteProfileSchemaRoute } from './routes/delete-profile-schema.ts'
import { editKnowledgeRoute } from './routes/edit-knowledge.ts'
import { getKnowledgeRoute } from './routes/get-knowledge.ts'
import { getProfileSchemaRoute } from './routes/get-profile-schema.ts'
import { listKnowledgeRoute } from './routes/list-knowledge.ts'
import { listVersionsRoute } from './routes/list-versions.ts'
import { putProfileSchemaRoute } from './routes/put-profile-schema.ts'
import { restoreVersionRoute } from './routes/restore-version.ts'
import { FEATURE, type KnowledgeScope } from './scope.ts'
import { knowledgeConfig } from './settings.ts'
import { createShapedProfiles } from './shaped/profile.ts'
import { factsChanged } from './subscription.ts'
import { compileTask } from './tasks/compile.ts'
import { resumeTask } from './tasks/resume.ts'
import { verifyTask } from './tasks/verify.ts'
import { createWriteHook } from './withdrawal.ts'

/** Whoever read a document so long ago reads it again before editing it. */
const GONE_KEPT_MS = 90 * DAY_MS

/** Compiles what the graph's statements add up to: Markdown documents a user and category, and profiles. */
export const knowledgePlugin = definePlugin({
  id: 'knowledge',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories', 'graph'],
  feature: FEATURE,
  permissions: [
    {
      name: 'Knowledge',
      permissions: {
        'knowledge.read': 'Read compiled knowledge.',
        'knowledge.write': 'Edit knowledge by hand and have it compiled.',
        'knowledge.delete': 'Delete knowledge.',
      },
    },
  ],
  config: knowledgeConfig,
  migrations: new URL('./sql/', import.meta.url),
  errors: knowledgeErrors,
  emits: knowledgeEvents,
  provides: [memoryProfiles],
  routes: [
    listKnowledgeRoute,
    compileKnowledgeRoute,
    getKnowledgeRoute,
    editKnowledgeRoute,
    deleteKnowledgeRoute,
    listVersionsRoute,
    restoreVersionRoute,
    putProfileSchemaRoute,
    getProfileSchemaRoute,
    deleteProfileSchemaRoute,
  ],
  tasks: [compileTask, resumeTask, verifyTask],
  subscriptions: [factsChanged],
  subjects: [
    { table: 'knowledge.change', column: 'user_id' },
    {
      table: 'knowledge.entry',
      column: 'user_id',
      parts: [
        { table: 'knowledge.source', column: 'holder_id' },
        { table: 'knowledge.version', column: 'entry_id' },
      ],
    },
    {
      table: 'knowledge.profile',
      column: 'user_id',
      parts: [{ table: 'knowledge.source', column: 'holder_id' }],
    },
  ],
  retention: [{ table: 'knowledge.gone_memory', column: 'gone_at', keepMs: GONE_KEPT_MS }],
  cron: [
    { schedule: '* * * * *', task: 'knowledge:resume' },
    { schedule: '41 2 * * *', task: 'knowledge:verify' },
  ],
  setup({ config, database, tenants, events, jobs, wiring, background, quarantine, language, embedder, log }) {
    const debounceMs = config.KNOWLEDGE_DEBOUNCE_MS
    const services = { database, tenants, events, jobs, wiring, background, quarantine, language, log }
    const scope: KnowledgeScope = { ...services, debounceMs }
    const profiles = createProfileSource(FEATURE, wiring)
    return {
      scope,
      ports: [bind(memoryProfiles, { ...profiles, ...createShapedProfiles(FEATURE, { wiring, language, embedder }) })],
      extensions: [
        extend(memoryWriteHooks, createWriteHook(events)),
        extend(archiveSections, createArchiveSection(scope)),
        extend(
          backlogSources,
          backlogOf({
            kind: 'knowledge',
            table: 'knowledge.change',
            since: 'waiting_since',
            open: 'true',
            waiting: 'not item.failed',
            failed: 'item.failed',
          }),
        ),
      ],
    }
  },
})
