import { type RouteResponse, type Static, Type, validationError } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'
import { flag, object, text, time } from '../fields.ts'
import { type BatchResult, type Conversation, itemFailure, unsupported } from '../service.ts'
import { endOfDay, type Owner, owner, toInstant } from './memories.ts'

const part = Type.Object({}, { additionalProperties: true })
const message = Type.Object({
  role: Type.String(),
  content: Type.Union([Type.String(), part, Type.Array(part)]),
  name: text,
})

export const addBody = Type.Object({
  messages: Type.Union([Type.String(), Type.Array(message, { minItems: 1 })]),
  ...owner,
  metadata: object,
  infer: flag,
  expiration_date: text,
  timestamp: time,
})

/** What is kept of a conversation is a setting of the workspace; a memory is a text with categories and metadata. */
export const addWithout = [
  ...['custom_instructions', 'agent_custom_instructions', 'prompt', 'includes', 'excludes', 'custom_categories'],
  ...['structured_data_schema', 'immutable', 'memory_type', 'filters'],
]

type Added = Static<typeof addBody>

/** Stores messages as they are, or submits them as a conversation that facts are read from in the background. */
export async function add({ service }: Pick<Asked, 'service'>, body: Added): Promise<RouteResponse['body']> {
  requireOwner(body)
  const { messages, user_id, agent_id, run_id: session_id, app_id, infer = true, expiration_date: end } = body
  const said = typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages
  const turns = said.map(({ role, content }) => ({ role, content: textOf(content) }))
  const at = body.timestamp === undefined ? undefined : toInstant(body.timestamp)
  const metadata = { ...body.metadata, app_id }
  const fields = { user_id, agent_id, session_id, metadata }
  if (!infer) {
    const spoken = turns.filter(({ role }) => role !== 'system')
    const memories = spoken.map(({ role, content }) => ({
      ...fields,
      memory: content,
      metadata: { ...metadata, said_at: at, said_by: role === 'assistant' ? role : undefined },
      ...(end ? { layer: 'TASK', expires_at: endOfDay(end) } : {}),
    }))
    const stored = await service.call<{ results: BatchResult[] }>('POST', '/v1/memories/batch', { body: { memories } })
    const results = stored.results.map((result, n) => toResult(result, memories[n]?.memory ?? ''))
    return { message: 'Memories stored.', status: 'SUCCEEDED', results }
  }
  if (end)
    throw unsupported('What is read from a conversation does not expire; send `expiration_date` with `infer` false.')
  const conversation = { messages: turns.map(turn => ({ ...turn, created_at: at })), ...fields }
  const { id, status } = await service.call<Conversation>('POST', '/v1/memories/conversations', { body: conversation })
  return { message: 'The messages are read in the background.', event_id: id, status: STATUSES[status] }
}

export function requireOwner({ user_id, agent_id, app_id, run_id }: Owner): void {
  if (user_id ?? agent_id ?? app_id ?? run_id) return
  throw validationError([{ path: 'user_id', message: 'or agent_id, app_id or run_id must be given' }])
}

function textOf(content: string | Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]) {
  if (typeof content === 'string') return content
  const texts = [content].flat().map(({ type, text }) => {
    if (type !== 'text' || typeof text !== 'string')
      throw unsupported('Mneme keeps texts: messages may have parts of the type `text` only.')
    return text
  })
  return texts.join('\n')
}

/** A text that the workspace has is not stored a second time, and its memory is told. */
function toResult(result: BatchResult, memory: string) {
  if ('memory' in result) return { id: result.memory.id, event: 'ADD', data: { memory } }
  const { error_code: code, message } = result.error
  if (code !== 'DUPLICATE_MEMORY') throw itemFailure(result)
  return {
    id: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(message)?.[0] ?? null,
    event: 'NOOP',
    data: { memory },
  }
}

export const STATUSES = { PENDING: 'PENDING', PROCESSING: 'RUNNING', COMPLETED: 'SUCCEEDED', FAILED: 'FAILED' } as const
