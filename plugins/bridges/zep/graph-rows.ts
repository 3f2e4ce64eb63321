import { oneOf, type Static, Type } from 'mneme/plugin'
import { type Row, row } from '../bridge.ts'
import { count, object, text, unread } from '../fields.ts'
import { type Memory, type Page, type Service, storeAll } from '../service.ts'

type Entity = Record<'id' | 'name' | 'type', string> & {
  readonly description: string | null
  readonly created_at?: string
  readonly score?: number
}

type Relationship = Record<'id' | 'type', string> & {
  readonly weight: number
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly memory_ids: readonly string[]
  readonly source?: Entity
  readonly target?: Entity
}

type Relationships = { readonly outgoing: readonly Relationship[]; readonly incoming: readonly Relationship[] }

const data = { data: Type.String(), type: unread, created_at: text, metadata: object, source_description: text }
const episode = Type.Object(data)
const withoutData = ['graph_id', 'document_id', 'strict_ontology']

/** The graph of a user, and what it is read from. */
export const graphRows: readonly Row[] = [
  row('POST /graph', '`graph.add`', {
    status: 202,
    here: '`POST /v1/memories`; `created_at` is `said_at` of the metadata',
    body: Type.Object({ user_id: text, ...data }),
    without: withoutData,
    async handle({ service, body: { user_id, ...episode } }) {
      const body = { ...toMemory(episode), user_id }
      return toEpisode(await service.call<Memory>('POST', '/v1/memories', { body }))
    },
  }),
  row('POST /graph-batch', '`graph.addBatch`', {
    status: 202,
    here: '`POST /v1/memories/batch`',
    body: Type.Object({ user_id: text, episodes: Type.Array(episode, { minItems: 1, maxItems: 20 }) }),
    without: withoutData,
    async handle({ service, body: { user_id, episodes } }) {
      const memories = episodes.map(episode => ({ ...toMemory(episode), user_id }))
      return (await storeAll(service, memories)).map(toEpisode)
    },
  }),
  row('POST /graph/search', '`graph.search`', {
    here: '`edges`: `GET /v1/graph/search`, and the relationships of the best five entities; `nodes`: `GET /v1/graph/search`; `episodes`: `POST /v1/memories/search`',
    body: Type.Object({
      user_id: text,
      query: Type.String(),
      scope: Type.Optional(oneOf(['edges', 'nodes', 'episodes'])),
      limit: count(50),
      // The server has one order of results.
      reranker: unread,
      mmr_lambda: unread,
      return_raw_results: unread,
    }),
    without: ['graph_id', 'search_filters', 'center_node_uuid', 'bfs_origin_node_uuids', 'max_characters'],
    async handle({ service, body: { scope = 'edges', limit = 10, query: sought, user_id } }) {
      if (scope === 'episodes') {
        const found = await service.call<Page<Memory>>('POST', '/v1/memories/search', {
          body: { query: sought, user_id, limit },
        })
        return { episodes: found.data.map(toEpisode) }
      }
      const nodes = scope === 'nodes'
      const query = { query: sought, user_id, limit: nodes ? limit : 5 }
      const entities = await service.call<Entity[]>('GET', '/v1/graph/search', { query })
      if (nodes) return { nodes: entities.map(toNode) }
      const edges = new Map<string, object>()
      for (const { id, score } of entities) {
        for (const edge of await edgesOf(service, id))
          if (!edges.has(edge.uuid)) edges.set(edge.uuid, { ...edge, score })
      }
      return { edges: [...edges.values()].slice(0, limit) }
    },
  }),
  row('POST /graph/node/user/:id', '`graph.node.getByUserId`', {
    here: '`GET /v1/graph/entities`, the newest 100',
    body: Type.Object({ limit: count(100) }),
    without: ['uuid_cursor'],
    async handle({ service, params: { id: user_id = '' }, body: { limit: page_size = 100 } }) {
      const query = { user_id, page_size }
      return (await service.call<Page<Entity>>('GET', '/v1/graph/entities', { query })).data.map(toNode)
    },
  }),
  row('GET /graph/node/:id', '`graph.node.get`', {
    here: '`GET /v1/graph/entities/:id`',
    handle: async ({ service, params }) => toNode(await service.call('GET', '/v1/graph/entities/:id', { params })),
  }),
  row('GET /graph/node/:id/entity-edges', '`graph.node.getEdges`', {
    here: '`GET /v1/graph/entities/:id/relationships`, those that ended as well',
    handle: async ({ service, params: { id = '' } }) => await edgesOf(service, id),
  }),
  row(
    ['GET /graph/episodes/user/:id', 'POST /graph/episodes/user/:id'],
    '`graph.episode.getByUserId`, `…listByUserId`',
    {
      here: '`GET /v1/memories`, the newest 100',
      query: Type.Object({ lastn: count(100) }),
      body: Type.Object({ limit: count(100) }),
      async handle({ service, params: { id: user_id = '' }, query: { lastn }, body: { limit } }) {
        const query = { user_id, page_size: lastn ?? limit ?? 100 }
        const { data } = await service.call<Page<Memory>>('GET', '/v1/memories', { query })
        return { episodes: data.map(toEpisode) }
      },
    },
  ),
  row('GET /graph/episodes/:id', '`graph.episode.get`', {
    here: '`GET /v1/memories/:id`',
    handle: async ({ service, params }) => toEpisode(await service.call('GET', '/v1/memories/:id', { params })),
  }),
  row('DELETE /graph/episodes/:id', '`graph.episode.delete`', {
    here: '`DELETE /v1/memories/:id`, with what only this memory states',
    async handle({ service, params }) {
      await service.call('DELETE', '/v1/memories/:id', { params })
      return { message: 'episode deleted' }
    },
  }),
]

function toMemory({ data: memory, created_at: said_at, metadata, source_description }: Static<typeof episode>) {
  return { memory, metadata: { ...metadata, said_at, source_description } }
}

/** An episode is a memory. */
function toEpisode({ id, memory, metadata, session_id, status, created_at, score }: Memory) {
  const { source_description, ...own } = metadata ?? {}
  const told = {
    source: 'text',
    source_description,
    metadata: own,
    processed: status === 'COMPLETED',
    created_at,
    score,
  }
  return { uuid: id, content: memory, ...told, thread_id: session_id ?? undefined }
}

function toNode({ id, name, type, description, created_at = '', score }: Entity) {
  return { uuid: id, name, labels: [type], summary: description ?? '', created_at, score }
}

async function edgesOf(service: Service, id: string) {
  const given = { params: { id }, query: { include_history: true } }
  const { outgoing, incoming } = await service.call<Relationships>('GET', '/v1/graph/entities/:id/relationships', given)
  const entity = await service.call<Entity>('GET', '/v1/graph/entities/:id', { params: { id } })
  return [...outgoing, ...incoming].map(({ source = entity, target = entity, ...edge }) => ({
    uuid: edge.id,
    name: edge.type,
    fact: `${source.name} ${edge.type.toLowerCase().replaceAll('_', ' ')} ${target.name}`,
    source_node_uuid: source.id,
    source_node_name: source.name,
    target_node_uuid: target.id,
    target_node_name: target.name,
    created_at: edge.valid_from ?? entity.created_at,
    valid_at: edge.valid_from ?? undefined,
    invalid_at: edge.valid_to ?? undefined,
    relevance: edge.weight,
    episodes: edge.memory_ids,
  }))
}
