import { AppError, created, ok, type Tenant, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { count, flag, object, text, unread } from '../fields.ts'
import type { Conversation, Memory, Page, Service } from '../service.ts'
import { toEpisode } from './graph-rows.ts'
import { forgetThread, listThreads, readTold, type Told, tell } from './told.ts'

const person = { email: text, first_name: text, last_name: text, metadata: object, time_zone: text }
const pages = Type.Object({ page_number: count(1_000_000), page_size: count(100), order_by: unread, asc: unread })
const STATUSES = { PENDING: 'pending', PROCESSING: 'processing', COMPLETED: 'succeeded', FAILED: 'failed' } as const

const messages = Type.Object({
  messages: Type.Array(
    Type.Object({
      role: Type.String(),
      content: Type.String(),
      name: text,
      created_at: text,
      uuid: unread,
      processed: unread,
    }),
    { minItems: 1 },
  ),
  return_context: flag,
  ignore_roles: Type.Optional(Type.Array(Type.String())),
})

/** Users, their threads, and what is said in them. */
export const userRows: readonly Row[] = [
  row('POST /users', '`user.add`', {
    here: 'noted beside the memories; a user is there without it, too',
    body: Type.Object({
      user_id: Type.String({ minLength: 1, maxLength: 255 }),
      ...person,
      disable_default_ontology: unread,
    }),
    async handle(call) {
      const { user_id, disable_default_ontology: _, ...details } = call.body
      return created(toUser(await tell(call, 'user', { id: user_id, user_id, details })))
    },
  }),
  row('GET /users/:id', '`user.get`', {
    here: 'what was noted, or `GET /v1/users`',
    async handle(call) {
      const { id = '' } = call.params
      return ok(toUser(await readTold(call, 'user', id).catch(error => userOfMemories(call.service, id, error))))
    },
  }),
  row('PATCH /users/:id', '`user.update`', {
    here: 'noted beside the memories',
    body: Type.Object({ ...person, disable_default_ontology: unread }),
    async handle(call) {
      const { id = '' } = call.params
      const { disable_default_ontology: _, ...details } = call.body
      return ok(toUser(await tell(call, 'user', { id, user_id: id, details })))
    },
  }),
  row('DELETE /users/:id', '`user.delete`', {
    here: '`DELETE /v1/users/:user_id`, which erases the person in the background, with what was noted',
    async handle({ service, params: { id = '' } }) {
      await service.call('DELETE', '/v1/users/:user_id', { params: { user_id: id } })
      return ok({ message: 'user deleted' })
    },
  }),
  row('GET /users-ordered', '`user.listOrdered`', {
    here: '`GET /v1/users`: users with memories, by their ids',
    query: pages,
    async handle({ service, query: { page_number: page = 1, page_size = 100 } }) {
      const { data, total } = await service.call<Users>('GET', '/v1/users', { query: { page, page_size } })
      const users = data.map(({ user_id, first_at, last_at }) => ({
        user_id,
        created_at: first_at,
        updated_at: last_at,
      }))
      return ok({ users, row_count: users.length, total_count: total })
    },
  }),
  row('GET /users/:id/warm', '`user.warm`', {
    here: 'nothing has to be warmed',
    handle: async () => ok({ message: 'ok' }),
  }),
  row('GET /users/:id/threads', '`user.getThreads`', {
    here: 'the threads that were noted, at most 1,000',
    handle: async call => ok((await listThreads(call, call.params.id, 1, 1000)).map(one => toThread(one, call.tenant))),
  }),
  row('POST /threads', '`thread.create`', {
    here: 'noted; its id is the session of what is said in it',
    body: Type.Object({
      thread_id: Type.String({ minLength: 1, maxLength: 255 }),
      user_id: Type.String({ minLength: 1, maxLength: 255 }),
    }),
    async handle(call) {
      const { thread_id: id, user_id } = call.body
      return created(toThread(await tell(call, 'thread', { id, user_id, details: {} }), call.tenant))
    },
  }),
  row('GET /threads', '`thread.listAll`', {
    here: 'the threads that were noted, the newest first',
    query: pages,
    async handle(call) {
      const { page_number: page = 1, page_size = 100 } = call.query
      const found = await listThreads(call, undefined, page, page_size)
      const threads = found.map(one => toThread(one, call.tenant))
      return ok({ threads, response_count: threads.length, total_count: found[0]?.total ?? 0 })
    },
  }),
  row('DELETE /threads/:id', '`thread.delete`', {
    here: 'what was noted of it; the memories stay, as in Zep',
    async handle(call) {
      await forgetThread(call, call.params.id ?? '')
      return ok({ message: 'thread deleted' })
    },
  }),
  row(
    ['POST /threads/:id/messages', 'POST /threads/:id/messages-batch'],
    '`thread.addMessages`, `thread.addMessagesBatch`',
    {
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
        return ok({
          task_id: id,
          ...(wanted && query ? { context: await contextOf(call.service, user_id, query) } : {}),
        })
      },
    },
  ),
  row('GET /threads/:id/context', '`thread.getUserContext`', {
    here: '`POST /v1/context` for the newest memories of the thread, or else of the user',
    query: Type.Object({ mode: unread, min_rating: unread }),
    without: { template_id: 'Contexts have one form.' },
    async handle(call) {
      const { user_id, id: session_id } = await readTold(call, 'thread', call.params.id ?? '')
      const query = { user_id, page_size: 5 }
      const list = (more: object) =>
        call.service.call<Page<Memory>>('GET', '/v1/memories', { query: { ...query, ...more } })
      const own = (await list({ session_id })).data
      const texts = (own.length > 0 ? own : (await list({})).data).map(({ memory }) => memory)
      return ok({ context: texts.length > 0 ? await contextOf(call.service, user_id, texts.join('\n')) : '' })
    },
  }),
  row('GET /threads/:id/episodes', '`thread.getEpisodes`', {
    here: '`GET /v1/memories` of the session, the newest 100',
    query: Type.Object({ lastn: count(100) }),
    async handle(call) {
      const { user_id, id: session_id } = await readTold(call, 'thread', call.params.id ?? '')
      const query = { user_id, session_id, page_size: call.query.lastn ?? 100 }
      const { data } = await call.service.call<Page<Memory>>('GET', '/v1/memories', { query })
      return ok({ episodes: data.map(toEpisode) })
    },
  }),
  row('GET /tasks/:id', '`task.get`', {
    here: '`GET /v1/memories/conversations/:id`',
    async handle({ service, params }) {
      const told = await service.call<Conversation>('GET', '/v1/memories/conversations/:id', { params })
      const { id: task_id, created_at, updated_at, error } = told
      const failure = error === null ? {} : { error: { message: error } }
      return ok({ task_id, status: STATUSES[told.status], created_at, updated_at, ...failure })
    },
  }),
]

type Users = Page<{ readonly user_id: string; readonly first_at: string; readonly last_at: string }>

/** Of a user of whom nothing was noted there may be memories all the same. */
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
