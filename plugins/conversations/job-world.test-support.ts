import { randomUUID } from 'node:crypto'
import { bind, type NewJob, type Tx } from 'mneme/plugin'
import { noLanguageModel } from '../../core/models/language/language-model.ts'
import { Switchboard } from '../../core/ports.ts'
import { memoryReader, memoryWriter, type PreparedMemories, type Restatement } from '../memories/contract.ts'
import { findRecords } from '../memories/queries/read.ts'
import { prepareMemories } from '../memories/storing/create.ts'
import { createOrPromote } from '../memories/storing/promote.ts'
import { restateMemories, statesSame } from '../memories/storing/restate.ts'
import { memoryWorld } from '../memories/world.test-support.ts'
import type { NewConversation } from './conversation.ts'
import { hashOf } from './input.ts'
import { findConversation, findResults, insertConversation, insertMessages } from './queries/store.ts'
import type { ConversationsScope } from './scope.ts'
import { extractTask } from './tasks/extract.ts'

/** The plugin's insides on a workspace, with a conversation that no service works on. */
export async function jobWorld(texts: readonly string[], options: { memoryQuota?: number; idle?: boolean } = {}) {
  const { tenant, scope: memories, client } = await memoryWorld(options)
  const wiring = new Switchboard()
  const writer = {
    prepare: prepareMemories.bind(null, memories),
    create: (tx: Tx, of: typeof tenant, prepared: PreparedMemories) => createOrPromote(tx, memories, of, prepared),
    restate: (tx: Tx, { workspaceId }: typeof tenant, restatements: readonly Restatement[]) =>
      restateMemories(tx, memories, workspaceId, restatements),
    statesSame,
  }
  wiring.bind('memories', bind(memoryWriter, writer))
  const reader = { records: findRecords } as never
  wiring.bind('memories', bind(memoryReader, reader))
  const enqueued: NewJob[] = []
  const scope = {
    ...memories,
    wiring,
    language: noLanguageModel,
    jobs: { enqueue: async (_: unknown, jobs: readonly NewJob[]) => void enqueued.push(...jobs) },
  } satisfies ConversationsScope
  const { workspaceId } = tenant
  const given: NewConversation = {
    userId: 'ada',
    agentId: null,
    sessionId: null,
    priority: 'MEDIUM',
    categories: [],
    metadata: null,
    messages: texts.map(content => ({ role: 'user', content, saidAt: null })),
  }
  const id = randomUUID()
  await tenant.transaction(async tx => {
    const made = await insertConversation(tx, workspaceId, id, hashOf(given), given)
    if (made) await insertMessages(tx, workspaceId, made, given.messages)
  })
  return {
    client,
    tenant,
    enqueued,
    scope,
    id,
    given,
    run: (turn: number, with_: ConversationsScope = scope, waitingSince?: Date) =>
      extractTask.run({
        payload: { workspace_id: workspaceId, conversation_id: id, turn },
        scope: with_,
        attempt: 1,
        maxAttempts: 5,
        waitingSince,
        signal: new AbortController().signal,
      } as never),
    fail: (turn: number, error: Error) =>
      extractTask.exhausted?.(
        {
          payload: { workspace_id: workspaceId, conversation_id: id, turn },
          scope,
          attempt: 5,
          maxAttempts: 5,
          signal: new AbortController().signal,
        } as never,
        error,
      ),
    conversation: () => tenant.transaction(tx => findConversation(tx, workspaceId, id)),
    results: () => tenant.transaction(tx => findResults(tx, workspaceId, id)),
    messagesKept: async () => {
      const rows = await tenant.transaction(
        tx => tx`select turn from conversations.message where message.conversation_id = ${id}`,
      )
      return rows.length
    },
    total: async () => (await client.get('/v1/memories')).body.total as number,
  }
}

/** More turns than one job reads. */
export const LONG = Array.from({ length: 90 }, (_, n) => `My locker number ${n} is in hall ${n % 7}.`)
