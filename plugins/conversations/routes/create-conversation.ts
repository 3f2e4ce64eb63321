import { accepted, fail, lockSubject, ok, type Tenant } from 'mneme/plugin'
import { v7 } from 'uuid'
import { intakeErrors, screenFields, secretsMode } from '../../memories/contract.ts'
import type { Conversation, NewConversation, Result } from '../conversation.ts'
import { acceptedExample, bodyExample, rehearsalExample } from '../examples.ts'
import { conversationChecks, hashOf, readConversation } from '../input.ts'
import { extractionJob } from '../jobs.ts'
import { requireRoom } from '../limits.ts'
import {
  countKept,
  findResults,
  insertConversation,
  insertMessages,
  lockByHash,
  releaseHash,
  restart,
} from '../queries/store.ts'
import { rehearse } from '../rehearse.ts'
import { route, WRITE } from '../route.ts'
import { conversationBody, conversationQuery, conversationResponse, rehearsalResponse } from '../schemas.ts'
import type { ConversationsScope } from '../scope.ts'
import { toConversation } from '../serializers.ts'

export const createConversationRoute = route({
  method: 'POST',
  path: '/v1/memories/conversations',
  operationId: 'createConversation',
  access: WRITE,
  subject: { user: 'user_id', agent: 'agent_id' },
  summary: 'Make memories of a conversation',
  description:
    'Draws the facts worth keeping from what the user says in a conversation, and what the assistant did for the user, in the background, and stores each as a memory. The same request sent again within 24 hours is the same conversation, and one that failed is tried again. The response never lists memories: see the conversation for them. With `dry_run=true` the conversation is read at once, the response lists what would be stored, and nothing is.',
  query: conversationQuery,
  body: conversationBody,
  checks: conversationChecks,
  bodyMaxBytes: 16 * 1024 * 1024,
  responses: { 200: rehearsalResponse, 202: conversationResponse },
  examples: { body: bodyExample, responses: { 200: rehearsalExample, 202: acceptedExample } },
  additions: wiring => ({ errors: intakeErrors(wiring) }),
  async handle({ body, query, scope, tenant, request }) {
    const given = readConversation(await screenFields(secretsMode.of(tenant.workspace), body))
    if (query.dry_run) return ok(await rehearse(scope, tenant, given, request.signal))
    const { conversation, results } = await store(scope, tenant, given)
    return accepted({ ...toConversation(conversation, results), memories: null })
  },
})

interface Stored {
  readonly conversation: Conversation
  readonly results: readonly Result[]
}

/** The one with these messages may go between the attempt to store it and the look at it; then there is room. */
const ROUNDS_MAX = 5

async function store(scope: ConversationsScope, tenant: Tenant, given: NewConversation): Promise<Stored> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const stored = await storeOrFind(scope, tenant, given)
    if (stored) return stored
  }
  throw fail('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

async function storeOrFind(
  { jobs }: ConversationsScope,
  tenant: Tenant,
  given: NewConversation,
): Promise<Stored | undefined> {
  const { workspaceId } = tenant
  const hash = hashOf(given)
  return tenant.transaction(async tx => {
    await lockSubject(tx, workspaceId, given.userId)
    const made = await insertConversation(tx, workspaceId, v7(), hash, given)
    // The one that gave its hash up leaves room for the next round.
    if (!made && (await releaseHash(tx, workspaceId, hash))) return undefined
    const known = made ?? (await lockByHash(tx, workspaceId, hash))
    if (!known) return undefined
    const begun = made ?? (known.status === 'FAILED' ? await restart(tx, workspaceId, known.id, given) : undefined)
    if (begun) {
      requireRoom(await countKept(tx, workspaceId))
      await insertMessages(tx, workspaceId, begun, given.messages)
      await jobs.enqueue(tx, [extractionJob(workspaceId, begun.id, begun.nextTurn)])
    }
    const results = made ? [] : await findResults(tx, workspaceId, known.id)
    return { conversation: begun ?? known, results }
  })
}
