import type { Static } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { deleteAll, type Page, type Service, unsupported } from '../service.ts'
import { envelope, PAGE_MAX, pages } from './memories.ts'

type Users = Page<{
  readonly user_id: string
  readonly memories: number
  readonly first_at: string
  readonly last_at: string
}>
type Counted = readonly { readonly type: 'user' | 'agent'; readonly id: string; readonly count: number }[]
interface Profile {
  readonly profile: {
    readonly summary: string
    readonly topics: readonly string[]
    readonly extractedAt: string
  } | null
}
/** Users, agents and runs, what is known of a user, and the project. */
export const entityRows: readonly Row[] = [
  row('GET /v1/entities', '`users`', {
    here: '`GET /v1/users`, then the agents of `GET /v1/memories/entities`; runs and apps are not listed',
    query: pages,
    handle: async ({ service, query }) => await listEntities(service, query),
  }),
  row(
    ['DELETE /v2/entities/:type/:name', 'DELETE /v1/entities/:type/:name'],
    '`deleteUsers`, `delete_users`, `deleteUser`',
    {
      here: 'a user: `DELETE /v1/users/:user_id`, which erases the person in the background; an agent or a run: as `deleteAll`',
      async handle(call) {
        const { type = '', name = '' } = call.params
        if (type === 'user') await call.service.call('DELETE', '/v1/users/:user_id', { params: { user_id: name } })
        else if (type === 'agent') await deleteAll(call, { agent_id: name })
        else if (type === 'run') await deleteAll(call, { session_id: name })
        else throw unsupported('Mneme knows users, agents and sessions; an app is a word in the metadata of memories.')
        return { message: 'Entity deleted successfully!' }
      },
    },
  ),
  row('GET /v2/entities/user/:name/profile', '`getProfile`, `get_profile`', {
    here: '`GET /v1/memories/profile/:workspaceId/:userId`; `pending` while there is none',
    async handle({ service, params: { name = '' }, caller }) {
      const params = { workspaceId: caller.workspaceId, userId: name }
      const { profile } = await service.call<Profile>('GET', '/v1/memories/profile/:workspaceId/:userId', { params })
      const [status, generation_count] = profile ? ['succeeded', 1] : ['pending', 0]
      const told = profile ? { summary: profile.summary, topics: profile.topics } : {}
      const about = { entity_type: 'user', entity_id: name, updated_at: profile?.extractedAt ?? null }
      return { ...about, profile: told, status, generation_count }
    },
  }),
]

/** Users come first, in pages of the service; a list of agents follows, which it gives whole. */
async function listEntities(service: Service, { page = 1, page_size = PAGE_MAX }: Static<typeof pages>) {
  const users = await service.call<Users>('GET', '/v1/users', { query: { page, page_size } })
  const agents = (await service.call<Counted>('GET', '/v1/memories/entities')).filter(({ type }) => type === 'agent')
  const before = Math.max(0, (page - 1) * page_size - users.total)
  const none = { owner: '', organization: '', metadata: {} }
  const results = [
    ...users.data.map(({ user_id: id, memories, first_at, last_at }) => ({
      ...{ id, name: id, type: 'user', total_memories: memories, created_at: first_at, updated_at: last_at },
      ...none,
    })),
    ...agents.slice(before, before + page_size - users.data.length).map(({ id, count }) => ({
      ...{ id, name: id, type: 'agent', total_memories: count, created_at: null, updated_at: null },
      ...none,
    })),
  ]
  return envelope(page, page_size, users.total + agents.length, results)
}
