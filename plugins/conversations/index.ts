import { definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { memoryClearing } from '../memories/contract.ts'
import { clearUnfinished } from './clear-unfinished.ts'
import { conversationErrors } from './errors.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { createConversationRoute } from './routes/create-conversation.ts'
import { getConversationRoute } from './routes/get-conversation.ts'
import type { ConversationsScope } from './scope.ts'
import { extractTask } from './tasks/extract.ts'
import { purgeTask } from './tasks/purge.ts'
import { requeueTask } from './tasks/requeue.ts'

/** Makes memories of conversations: the facts worth keeping from what the user says. */
export const conversationsPlugin = definePlugin({
  id: 'conversations',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  // Its extractor finds facts in short sentences; without it a few more of them are passed over.
  optional: ['graph'],
  migrations: new URL('./sql/', import.meta.url),
  errors: conversationErrors,
  routes: [createConversationRoute, getConversationRoute],
  tasks: [extractTask, requeueTask, purgeTask],
  cron: [
    { schedule: '*/5 * * * *', task: 'conversations:requeue' },
    { schedule: '43 3 * * *', task: 'conversations:purge' },
  ],
  subscriptions: [forgetDeleted],
  setup({ database, tenants, jobs, wiring, language, log }) {
    const scope: ConversationsScope = { database, tenants, jobs, wiring, language, log }
    return { scope, extensions: [extend(memoryClearing, clearUnfinished)] }
  },
})
