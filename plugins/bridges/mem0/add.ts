import { type RouteResponse, type Static, Type, validationError } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'
import { itemFailure, unsupported } from '../errors.ts'
import { flag, object, text, time } from '../fields.ts'
import type { BatchResult, Conversation } from '../service.ts'
import { endOfDay, type Owner, owner, toInstant, toOwner } from './memories.ts'

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

const EXTRACTION = 'What is kept of a conversation is a setting of the workspace, `conversation_instructions`.'

export const addWithout = {
  custom_instructions: EXTRACTION,
  agent_custom_instructions: EXTRACTION,
  prompt: EXTRACTION,
  includes: EXTRACTION,
  excludes: EXTRACTION,
  custom_categories: 'Leave it out; memories get the categories that they are stored with.',
  structured_data_schema: 'Leave it out; a memory is a text with metadata.',
  immutable: 'Leave it out; every memory can be changed.',
  memory_type: 'Leave it out; there is one kind of memory.',
  filters: 'Leave it out; name the user, agent or run beside the messages.',
}

type Added = Static<typeof addBody>

/** Stores messages as they are, or submits them as a conversation that facts are read from in the background. */
export async function add({ service }: Pick<Asked, 'service'>, body: Added): Promise<RouteResponse['body']> {
  requireOwner(body)
  const messages = typeof body.messages === 'string' ? [{ role: 'user', content: body.messages }] : body.messages
  const said = messages.map(({ role, content }) => ({ role, content: textOf(content) }))
  const metadata = body.app_id === undefined ? body.metadata : { ...body.metadata, app_id: body.app_id }
  const fields = { ...toOwner(body), ...(metadata ? { metadata } : {}) }
  const at = body.timestamp === undefined ? undefined : toInstant(body.timestamp)
  if (body.infer === false) {
    const memories = said
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        ...fields,
        memory: content,
        metadata: { ...metadata, ...(at ? { said_at: at } : {}), ...(role === 'assistant' ? { said_by: role } : {}) },
        ...(body.expiration_date ? { layer: 'TASK', expires_at: endOfDay(body.expiration_date) } : {}),
      }))
    const stored = await service.call<{ results: BatchResult[] }>('POST', '/v1/memories/batch', { body: { memories } })
    const results = stored.results.map((result, n) => toResult(result, memories[n]?.memory ?? ''))
    return { message: 'Memories stored.', status: 'SUCCEEDED', results }
  }
  if (body.expiration_date)
    throw unsupported('What is read from a conversation does not expire; send `expiration_date` with `infer` false.')
  const turns = at ? said.map(message => ({ ...message, created_at: at })) : said
  const { id, status } = await service.call<Conversation>('POST', '/v1/memories/conversations', {
    body: { messages: turns, ...fields },
  })
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
