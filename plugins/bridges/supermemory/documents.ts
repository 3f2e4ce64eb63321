import { AppError, compileValidator, Type, uuid, validationError } from 'mneme/plugin'
import type { Asked } from '../bridge.ts'
import { type MetadataOperator, onlyAlternative, type Tree } from '../conditions.ts'
import { object, text, words } from '../fields.ts'
import { type Memory, type Page, type Service, unsupported } from '../service.ts'

/** Requests name their containers in one of two ways. */
export const tagged = { containerTag: text, containerTags: words }

interface Tagged {
  readonly containerTag?: string
  readonly containerTags?: readonly string[]
}

/** A container is a user here. */
export function userOf({ containerTag, containerTags = [] }: Tagged): { user_id?: string } {
  const named = new Set([...(containerTag === undefined ? [] : [containerTag]), ...containerTags])
  if (named.size > 1) throw unsupported('Mneme keeps a memory for one user; name one container.')
  const [user] = named
  return user === undefined ? {} : { user_id: user }
}

/** Reads what a request asks of memories. */
export function treeOf({ filters, ...owner }: Tagged & { readonly filters?: unknown }): {
  readonly all: readonly Tree[]
} {
  const { user_id: is } = userOf(owner)
  return {
    all: [...(is === undefined ? [] : [{ field: 'user_id', is } as const]), ...(filters ? [readFilters(filters)] : [])],
  }
}

/** Lists memories, newest first, with the pages as Supermemory counts them. */
export async function listed(service: Service, asked: Parameters<typeof treeOf>[0], limit: number, page: number) {
  const found = onlyAlternative(treeOf(asked))
  const query = { ...found, page, page_size: limit }
  const { data, total }: Page<Memory> = found
    ? await service.call('GET', '/v1/memories', { query })
    : { data: [], total: 0 }
  return { data, pagination: { currentPage: page, limit, totalItems: total, totalPages: Math.ceil(total / limit) } }
}

export const newDocument = {
  ...tagged,
  customId: text,
  metadata: object,
  taskType: Type.Optional(Type.Literal('memory')),
}

interface NewDocument extends Tagged {
  readonly content: string
  readonly customId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** An import of a page, as far as it is shown as a document. */
type Import = Pick<Memory, 'id' | 'status' | 'user_id' | 'created_at' | 'updated_at'> & {
  readonly title: string | null
  readonly source_url: string | null
  readonly document_name: string | null
}

const STATUSES = { PENDING: 'queued', PROCESSING: 'embedding', COMPLETED: 'done', FAILED: 'failed' } as const

/** Stores a text as a memory, whose session is the custom id; the same custom id again replaces it. A page is imported. */
export async function addDocument(service: Service, given: NewDocument): Promise<{ id: string; status: string }> {
  const { content, customId, metadata } = given
  const owner = userOf(given)
  if (/^https?:\/\/\S+$/.test(content)) {
    if (metadata) throw unsupported('Memories of a page have no metadata of yours; leave it out, or send the text.')
    const body = new FormData()
    const fields = { source_url: content, ...owner, ...(customId === undefined ? {} : { document_name: customId }) }
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return toAdded(await service.call<Import>('POST', '/v1/memories/ingest', { body }))
  }
  const before = customId === undefined ? undefined : await findByCustomId(service, customId, owner)
  const stored = { memory: content, metadata }
  const written = before
    ? service.call<Memory>('PUT', '/v1/memories/:id', { params: { id: before.id }, body: stored })
    : service.call<Memory>('POST', '/v1/memories', { body: { ...stored, ...owner, session_id: customId } })
  return toAdded(await written)
}

function toAdded({ id, status }: Pick<Memory, 'id' | 'status'>) {
  return { id, status: STATUSES[status] }
}

async function findByCustomId(service: Service, session_id: string, owner: { readonly user_id?: string } = {}) {
  const query = { ...owner, session_id, page_size: 1 }
  return (await service.call<Page<Memory>>('GET', '/v1/memories', { query })).data[0]
}

const id = compileValidator(uuid())

/** Finds a document by its id, or by its custom id, which is no UUID. @throws the failure of the service where there is none */
export async function findDocument({ service, params }: Pick<Asked, 'service' | 'params'>): Promise<Memory | Import> {
  const named = params.id ?? ''
  const own = id.faults(named).length > 0 ? await findByCustomId(service, named) : undefined
  return (
    own ??
    service.call<Memory>('GET', '/v1/memories/:id', { params: { id: named } }).catch(error => {
      if (!(error instanceof AppError && error.code === 'MEMORY_NOT_FOUND')) throw error
      return service.call<Import>('GET', '/v1/ingest-jobs/:id', { params: { id: named } })
    })
  )
}

export async function deleteDocument(asked: Pick<Asked, 'service' | 'params'>): Promise<void> {
  const found = await findDocument(asked)
  const params = { id: found.id }
  if ('memory' in found) await asked.service.call('DELETE', '/v1/memories/:id', { params })
  else await asked.service.call('DELETE', '/v1/ingest-jobs/:id', { params, query: { memories: true } })
}

const NONE = { connectionId: null, filepath: null, ogImage: null, raw: null, spatialPoint: null, summary: null }

/** A memory, or the import of a page, as Supermemory shows a document. */
export function toDocument(found: Memory | Import) {
  const [memory, page] = 'memory' in found ? [found, undefined] : [undefined, found]
  return {
    ...NONE,
    ...toAdded(found),
    content: memory?.memory ?? null,
    customId: memory?.session_id ?? page?.document_name ?? null,
    metadata: memory?.metadata ?? null,
    title: page?.title ?? null,
    url: page?.source_url ?? null,
    source: 'api',
    taskType: 'memory',
    type: page ? 'webpage' : 'text',
    containerTags: [found.user_id],
    createdAt: found.created_at,
    updatedAt: found.updated_at,
  }
}

const NUMERIC: Readonly<Record<string, MetadataOperator>> = {
  '=': 'eq',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
}

/** Reads a filter of Supermemory, whose conditions are all on metadata. */
function readFilters(given: unknown, path = 'filters'): Tree {
  if (typeof given !== 'object' || given === null) throw validationError([{ path, message: 'must be an object' }])
  for (const [name, parts] of Object.entries(given)) {
    if (name !== 'AND' && name !== 'OR') continue
    if (!Array.isArray(parts)) throw validationError([{ path: `${path}.${name}`, message: 'must be a list' }])
    const read = parts.map((part: unknown, n) => readFilters(part, `${path}.${name}.${n}`))
    return name === 'AND' ? { all: read } : { any: read }
  }
  return readLeaf({ ...given }, path)
}

function readLeaf(leaf: Readonly<Record<string, unknown>>, path: string): Tree {
  const { key, value, filterType = 'metadata', numericOperator = '=', negate, ignoreCase } = leaf
  if (typeof key !== 'string') throw validationError([{ path: `${path}.key`, message: 'must be a text' }])
  const [isNegated, anyCase] = [negate, ignoreCase].map(one => one === true || one === 'true')
  const condition = { field: 'metadata', key } as const
  if (anyCase) throw unsupported('Mneme compares metadata letter by letter; leave out `ignoreCase`.')
  if (filterType === 'numeric') {
    const op = NUMERIC[String(numericOperator)]
    if (!op || (isNegated && op !== 'eq'))
      throw unsupported('Mneme compares numbers by =, >, >=, < and <=, and negates =.')
    return { ...condition, op: isNegated ? 'ne' : op, value: Number(value) }
  }
  if (filterType === 'array_contains') return { ...condition, op: isNegated ? 'ne' : 'eq', value }
  if (filterType !== 'metadata') throw unsupported(`Mneme does not filter by \`${filterType}\`; search for the text.`)
  // Values come as texts, whatever type the metadata has.
  const readings = [value, ...(value === 'true' || value === 'false' ? [value === 'true'] : [Number(value)])]
  const possible = readings.filter(one => !Number.isNaN(one))
  if (!isNegated) return { ...condition, op: 'in', value: possible }
  if (possible.length > 1)
    throw unsupported('Say by `filterType` `numeric` that a number is meant that is not to be there.')
  return { ...condition, op: 'ne', value }
}
