import { AppError, type Tenant, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { flag, object, text, unread, words } from '../fields.ts'
import type { Conversation, Memory, Page, Service } from '../service.ts'
import { forgetThread, readTold, type Told, tell } from './told.ts'

const person = { email: text, first_name: text, last_name: text, metadata: object, time_zone: text }
const STATUSES = { PENDING: 'pending', PROCESSING: 'processing', COMPLETED: 'succeeded', FAILED: 'failed' } as const

const message = {
  role: Type.String(),
  content: Type.String(),
  name: text,
  created_at: text,
  uuid: unread,
  processed: unread,
}
const messages = Type.Object({
  messages: Type.Array(Type.Object(message), { minItems: 1 }),
  return_context: flag,
  ignore_roles: words,
})
const id = Type.String({ minLength: 1, maxLength: 255 })
const unused = { disable_default_ontology: unread }

/** Users, their threads, and what is said in them. */
export const userRows: readonly Row[] = [
  row('POST /users', '`user.add`', {
    status: 201,
    here: 'noted beside the memories; a user is there without it, too',
    body: Type.Object({ user_id: id, ...person, ...unused }),
    async handle(call) {
      const { user_id, disable_default_ontology: _, ...details } = call.body
      return toUser(await tell(call, 'user', { id: user_id, user_id, details }))
    },
  }),
  row('GET /users/:id', '`user.get`', {
    here: 'what was noted, or `GET /v1/users`',
    async handle(call) {
      const { id = '' } = call.params
      return toUser(await readTold(call, 'user', id).catch(error => userOfMemories(call.service, id, error)))
    },
  }),
  row('PATCH /users/:id', '`user.update`', {
    here: 'noted beside the memories',
    body: Type.Object({ ...person, ...unused }),
    async handle(call) {
      const { id = '' } = call.params
      const { disable_default_ontology: _, ...details } = call.body
      return toUser(await tell(call, 'user', { id, user_id: id, details }))
    },
  }),
  row('DELETE /users/:id', '`user.delete`', {
    here: '`DELETE /v1/users/:user_id`, which erases the person in the background, with what was noted',
    async handle({ service, params: { id = '' } }) {
      await service.call('DELETE', '/v1/users/:user_id', { params: { user_id: id } })
      return { message: 'user deleted' }
    },
  }),
  row('POST /threads', '`thread.create`', {
    status: 201,
    here: 'noted; its id is the session of what is said in it',
    body: Type.Object({ thread_id: id, user_id: id }),
    async handle(call) {
      const { thread_id: id, user_id } = call.body
      return toThread(await tell(call, 'thread', { id, user_id, details: {} }), call.tenant)
    },
  }),
  row('DELETE /threads/:id', '`thread.delete`', {
    here: 'what was noted of it; the memories stay, as in Zep',
    async handle(call) {
      await forgetThread(call, call.params.id ?? '')
      return { message: 'thread deleted' }
    },
  }),
  row(['POST /threads/:id/messages', 'POST /threads/:id/messages-batch'], '`thread.addMessages`, `…Batch`', {
    here: '`POST /v1/memories/conversations`, whose id is the `task_id`; with `return_context` `POST /v1/context` for the last message of the user',
    body: messages,
    async handle(call) {
      const { user_id, id: session_id } = await readTold(call, 'thread', call.params.id ?? '')
      const { messages: said, ignore_roles: ignored = [], return_context: wanted } = call.body
      const turns = said
        .filter(({ role }) => !ignored.includes(role))
        .map(({ role, uuid: _, processed: __, ...message }) => ({
          ...message,
          role: role === 'norole' ? 'user' : role,
        }))
      const body = { messages: turns, user_id, session_id }
      const { id } = await call.service.call<Conversation>('POST', '/v1/memories/conversations', { body })
      const query = turns.findLast(({ role }) => role === 'user')?.content
      return {
        task_id: id,
        ...(wanted && query ? { context: await contextOf(call.service, user_id, query) } : {}),
      }
    },
  }),
  row('GET /threads/:id/context', '`thread.getUserContext`', {
    here: '`POST /v1/context` for the newest memories of the thread, or else of the user',
    query: Type.Object({ mode: unread, min_rating: unread }),
    without: ['template_id'],
    async handle(call) {
      const { user_id, id: session_id } = await readTold(call, 'thread', call.params.id ?? '')
      const query = { user_id, page_size: 5 }
      const list = (more: object) =>
        call.service.call<Page<Memory>>('GET', '/v1/memories', { query: { ...query, ...more } })
      const own = (await list({ session_id })).data
      const texts = (own.length > 0 ? own : (await list({})).data).map(({ memory }) => memory)
      return { context: texts.length > 0 ? await contextOf(call.service, user_id, texts.join('\n')) : '' }
    },
  }),
  row('GET /tasks/:id', '`task.get`', {
    here: '`GET /v1/memories/conversations/:id`',
    async handle({ service, params }) {
      const told = await service.call<Conversation>('GET', '/v1/memories/conversations/:id', { params })
      const { id: task_id, created_at, updated_at, error } = told
      const failure = error === null ? {} : { error: { message: error } }
      return { task_id, status: STATUSES[told.status], created_at, updated_at, ...failure }
    },
  }),
]

type Users = Page<{ readonly user_id: string; readonly first_at: string; readonly last_at: string }>

/** A user of whom nothing was noted may have memories all the same. */
async function userOfMemories(service: Service, id: string, error: unknown): Promise<Told> {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error
  const { data } = await service.call<Users>('GET', '/v1/users', { query: { q: id, page_size: 100 } })
  const found = data.find(({ user_id }) => user_id === id)
  if (!found) throw error
  return { id, user_id: id, details: {}, created_at: new Date(found.first_at) }
}

async function contextOf(service: Service, user_id: string, query: string): Promise<string> {
  const body = { query, user_id }
  return (await service.call<{ readonly context: string }>('POST', '/v1/context', { body })).context
}

function toUser({ user_id, details, created_at }: Told) {
  return { ...details, user_id, created_at: created_at.toISOString() }
}

function toThread({ id, user_id, created_at }: Told, { workspaceId }: Tenant) {
  return { thread_id: id, user_id, project_uuid: workspaceId, created_at: created_at.toISOString() }
}
