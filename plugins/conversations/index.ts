import { backlogOf, backlogSources, DAY_MS, definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { memoryClearing } from '../memories/contract.ts'
import { clearUnfinished } from './clear-unfinished.ts'
import { conversationErrors } from './errors.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { createConversationRoute } from './routes/create-conversation.ts'
import { getConversationRoute } from './routes/get-conversation.ts'
import { reprocessConversationRoute } from './routes/reprocess-conversation.ts'
import type { ConversationsScope } from './scope.ts'
import { conversationInstructions } from './settings.ts'
import { extractTask } from './tasks/extract.ts'
import { readAgainTask } from './tasks/read-again.ts'
import { requeueTask } from './tasks/requeue.ts'

/** It is done with, and no memory came of it. */
const EMPTY = `
  item.status in ('COMPLETED', 'FAILED')
  and not exists (
    select
    from conversations.result
    where result.workspace_id = item.workspace_id
      and result.conversation_id = item.id
  )`

/** Nobody has tried it again for a week, or the model that is to read it again was away for as long. */
const OF_LEFT = `
  exists (
    select
    from conversations.conversation
    where conversation.workspace_id = item.workspace_id
      and conversation.id = item.conversation_id
      and (
        (conversation.status = 'FAILED' and conversation.updated_at < now() - interval '7 days')
        or (conversation.status = 'COMPLETED' and conversation.created_at < now() - interval '7 days')
      )
  )`

/** Makes memories of conversations: the facts worth keeping from what the user says. */
export const conversationsPlugin = definePlugin({
  id: 'conversations',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  // Its extractor finds facts in short sentences; without it a few more of them are passed over.
  optional: ['graph'],
  workspaceSettings: [conversationInstructions],
  migrations: new URL('./sql/', import.meta.url),
  errors: conversationErrors,
  routes: [createConversationRoute, getConversationRoute, reprocessConversationRoute],
  tasks: [extractTask, readAgainTask, requeueTask],
  cron: [
    { schedule: '*/5 * * * *', task: 'conversations:requeue' },
    { schedule: '*/10 * * * *', task: 'conversations:read-again' },
  ],
  // Conversations of which no memory was made: only the fact that they took place is left of them.
  retention: [
    { table: 'conversations.conversation', column: 'updated_at', keepMs: 30 * DAY_MS, where: EMPTY },
    { table: 'conversations.message', column: 'said_at', keepMs: 7 * DAY_MS, where: OF_LEFT },
  ],
  subjects: [
    {
      table: 'conversations.conversation',
      column: 'user_id',
      parts: [
        { table: 'conversations.message', column: 'conversation_id' },
        { table: 'conversations.result', column: 'conversation_id' },
      ],
    },
  ],
  subscriptions: [forgetDeleted],
  setup({ database, tenants, jobs, quarantine, wiring, language, log }) {
    const scope: ConversationsScope = { database, tenants, jobs, quarantine, wiring, language, log }
    return {
      scope,
      extensions: [
        extend(memoryClearing, clearUnfinished),
        extend(
          backlogSources,
          backlogOf({ kind: 'conversations', table: 'conversations.conversation', since: 'waiting_since' }),
        ),
      ],
    }
  },
})
