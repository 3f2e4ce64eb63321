import { ok, type Static, Type } from 'mneme/plugin'
import { type Row, refused, row } from '../bridge.ts'
import { deleteAll } from '../delete-all.ts'
import { unsupported } from '../errors.ts'
import type { Page, Service } from '../service.ts'
import { account, envelope, PAGE_MAX } from './operations.ts'

interface User {
  readonly user_id: string
  readonly memories: number
  readonly first_at: string
  readonly last_at: string
}

interface Counted {
  readonly type: 'user' | 'agent'
  readonly id: string
  readonly count: number
}

interface Profile {
  readonly profile: {
    readonly summary: string
    readonly topics: readonly string[]
    readonly extractedAt: string
  } | null
}

interface Workspace {
  readonly id: string
  readonly name: string
  readonly settings: { readonly conversation_instructions?: string | null }
}

const PROJECT = '/api/v1/orgs/organizations/:org/projects/:id'

const pages = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX })),
  ...account,
})

/** Users, agents and runs, what is known of a user, and the project. */
export const entityRows: readonly Row[] = [
  row({
    method: 'GET',
    path: '/v1/entities',
    call: '`users`',
    here: '`GET /v1/users`, then the agents of `GET /v1/memories/entities`; runs and apps are not listed',
    query: pages,
    handle: async ({ service, query }) => ok(await listEntities(service, query)),
  }),
  ...['/v1/entities/:type/:name', '/v2/entities/:type/:name'].map(path =>
    row({
      method: 'DELETE',
      path,
      call: path.startsWith('/v2') ? '`deleteUsers`, `delete_users`' : '`deleteUser`',
      here: 'a user: `DELETE /v1/users/:user_id`, which erases the person in the background; an agent or a run: as `deleteAll`',
      query: Type.Object(account),
      async handle(call) {
        const { type = '', name = '' } = call.params
        if (type === 'user') await call.service.call('DELETE', '/v1/users/:user_id', { params: { user_id: name } })
        else if (type === 'agent') await deleteAll(call, { agent_id: name })
        else if (type === 'run') await deleteAll(call, { session_id: name })
        else throw unsupported('Mneme knows users, agents and sessions; an app is a word in the metadata of memories.')
        return ok({ message: 'Entity deleted successfully!' })
      },
    }),
  ),
  row({
    method: 'GET',
    path: '/v2/entities/user/:name/profile',
    call: '`getProfile`, `get_profile`',
    here: '`GET /v1/memories/profile/:workspaceId/:userId`; `pending` while there is none',
    query: Type.Object(account),
    async handle({ service, params: { name = '' }, caller }) {
      const params = { workspaceId: caller.workspaceId, userId: name }
      const { profile } = await service.call<Profile>('GET', '/v1/memories/profile/:workspaceId/:userId', { params })
      return ok({
        profile: profile ? { summary: profile.summary, topics: profile.topics } : {},
        status: profile ? 'succeeded' : 'pending',
        entity_type: 'user',
        entity_id: name,
        updated_at: profile?.extractedAt ?? null,
        generation_count: profile ? 1 : 0,
      })
    },
  }),
  row({
    method: 'GET',
    path: PROJECT,
    call: '`getProject`, `project.get`',
    here: '`GET /v1/workspaces/:id`; `custom_instructions` is its setting `conversation_instructions`',
    query: Type.Object({ fields: Type.Optional(Type.Unknown()), ...account }),
    async handle({ service, params: { id = '' } }) {
      return ok(toProject(await service.call<Workspace>('GET', '/v1/workspaces/:id', { params: { id } })))
    },
  }),
  row({
    method: 'PATCH',
    path: PROJECT,
    call: '`updateProject`, `project.update`',
    here: '`PATCH /v1/workspaces/:id` with `conversation_instructions`; anything else of a project is refused',
    query: Type.Object(account),
    body: Type.Object({ custom_instructions: Type.String() }),
    without: Object.fromEntries(
      [
        'agent_custom_instructions',
        'custom_categories',
        'memory_depth',
        'usecase_setting',
        'multilingual',
        'decay',
      ].map(name => [name, 'See the settings of a workspace.']),
    ),
    async handle({ service, params: { id = '' }, body: { custom_instructions } }) {
      const body = { settings: { conversation_instructions: custom_instructions } }
      await service.call('PATCH', '/v1/workspaces/:id', { params: { id }, body })
      return ok({ message: 'Updated custom instructions' })
    },
  }),
  refused('DELETE', PROJECT, '`project.delete`', 'Delete the workspace with `DELETE /v1/workspaces/:id`.'),
]

function toProject({ id, name, settings }: Workspace) {
  return {
    project_id: id,
    name,
    custom_instructions: settings.conversation_instructions ?? null,
    custom_categories: null,
  }
}

/** Users come first, in pages of the service; a list of agents follows, which it gives whole. */
async function listEntities(service: Service, { page = 1, page_size = PAGE_MAX }: Static<typeof pages>) {
  const users = await service.call<Page<User>>('GET', '/v1/users', { query: { page, page_size } })
  const counted = await service.call<Counted[]>('GET', '/v1/memories/entities')
  const agents = counted.filter(({ type }) => type === 'agent')
  const before = Math.max(0, (page - 1) * page_size - users.total)
  const room = page_size - users.data.length
  const results = [
    ...users.data.map(({ user_id: id, memories, first_at, last_at }) =>
      toEntity('user', id, memories, { created_at: first_at, updated_at: last_at }),
    ),
    ...agents
      .slice(before, before + room)
      .map(({ id, count }) => toEntity('agent', id, count, { created_at: null, updated_at: null })),
  ]
  const totals = { total_users: users.total, total_agents: agents.length }
  return { ...envelope({ page, page_size }, users.total + agents.length, results), ...totals }
}

function toEntity(type: string, id: string, total_memories: number, times: object) {
  return { id, name: id, type, total_memories, owner: '', organization: '', metadata: {}, ...times }
}
