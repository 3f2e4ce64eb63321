import { type RouteResponse, type Static, Type, validationError } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'
import { flag, object, text, time } from '../fields.ts'
import { type BatchResult, type Conversation, itemFailure, type Memory, type Service, unsupported } from '../service.ts'
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

/** The workspace has a setting for what is kept of a conversation, and a memory is a text with categories and metadata. */
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
    const results = await Promise.all(stored.results.map((result, n) => toResult(service, result, memories[n])))
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

/** A text that the user has is not stored a second time, and its memory is told. That of another user is a failure. */
async function toResult(
  service: Service,
  result: BatchResult,
  asked?: { readonly memory: string; readonly user_id?: string | undefined },
) {
  const data = { memory: asked?.memory ?? '' }
  if ('memory' in result) return { id: result.memory.id, event: 'ADD', data }
  const { error_code: code, message } = result.error
  const id = code === 'DUPLICATE_MEMORY' ? /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(message)?.[0] : undefined
  if (id === undefined) throw itemFailure(result)
  const holder = await service.call<Memory>('GET', '/v1/memories/:id', { params: { id } })
  if (holder.user_id !== (asked?.user_id ?? 'default')) throw itemFailure(result)
  return { id, event: 'NOOP', data }
}

export const STATUSES = { PENDING: 'PENDING', PROCESSING: 'RUNNING', COMPLETED: 'SUCCEEDED', FAILED: 'FAILED' } as const
