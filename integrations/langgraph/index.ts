import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint'
import { DuplicateMemoryError, MemoryNotFoundError, type Mneme } from '@mneme/client'

export interface MnemeStoreInput {
  readonly mneme: Mneme
  /** The `agent_id` of the items' memories, `langgraph` when left out, which keeps them apart from other memories. */
  readonly name?: string
  /** Says whose the items of a namespace are, so that they go with the user; undefined for a prefix of several users. */
  readonly user?: (namespace: readonly string[]) => string | undefined
}

/** A memory holds an item: a query finds its text, its metadata has namespace, key and value as they were put. */
type Stored = Pick<Awaited<ReturnType<Mneme['get']>>, 'id' | 'metadata' | 'created_at' | 'updated_at'>

const [TEXT_MAX, QUERY_MAX, PAGE_MAX] = [50_000, 1000, 100]

export class MnemeStore extends BaseStore {
  constructor(private readonly given: MnemeStoreInput) {
    super()
  }

  /** Reads come first, as in LangGraph's own stores; of several writes to one key the last one counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const writes = operations.filter(operation => 'value' in operation)
    for (const { namespace } of writes) validateNamespace(namespace)
    const results = await Promise.all(operations.map(operation => this.#read(operation)))
    const last = new Map(writes.map(write => [JSON.stringify([write.namespace, write.key]), write]))
    await Promise.all([...last.values()].map(write => this.#write(write)))
    return results as OperationResults<Op>
  }

  async #read(operation: Operation): Promise<Item | SearchItem[] | string[][] | null | undefined> {
    if ('value' in operation) return undefined
    if ('namespacePrefix' in operation) return this.#search(operation)
    if (!('key' in operation)) return this.#namespaces(operation)
    const [found] = await this.#list(operation.namespace, placeOf(operation), 1)
    return found ? toItem(found) : null
  }

  async #write(operation: PutOperation, attempts = 2): Promise<void> {
    const { namespace, value } = operation
    const [current, ...others] = await this.#list(namespace, placeOf(operation), PAGE_MAX)
    // Two processes that put a new key at once leave two memories; the next write makes them one.
    const surplus = value === null && current ? [current, ...others] : others
    const unlessGone = (error: unknown) => error instanceof MemoryNotFoundError || Promise.reject(error)
    await Promise.all(surplus.map(({ id }) => this.given.mneme.delete(id).catch(unlessGone)))
    if (value === null) return
    const within = namespace.map((_, n) => pathOf(namespace.slice(0, n + 1)))
    const item = { memory: this.#textOf(operation), metadata: { ...placeOf(operation), within, value } }
    const stored = current
      ? this.given.mneme.update(current.id, item)
      : this.given.mneme.add({ ...item, ...this.#owner(namespace) })
    await stored.catch(error => {
      const isOvertaken = error instanceof DuplicateMemoryError || error instanceof MemoryNotFoundError
      return isOvertaken && attempts > 1 ? this.#write(operation, attempts - 1) : Promise.reject(error)
    })
  }

  /** A workspace has a text once, and an item its place, with which its text ends. */
  #textOf({ namespace, key, value, index = ['$'] }: PutOperation): string {
    const place = `(${[this.#owner(namespace).agent_id, ...namespace, key].join('/')})`
    const texts = (index || []).flatMap(path => textsAt(value, path.split(/[.[\]$]+/).filter(Boolean)))
    return `${texts.join('\n').slice(0, TEXT_MAX - place.length - 1)}\n${place}`.trim()
  }

  #owner(namespace: readonly string[]) {
    const { user, name: agent_id = 'langgraph' } = this.given
    return { agent_id, user_id: user?.(namespace) ?? undefined }
  }

  #list(namespace: readonly string[], filter: object, limit: number): Promise<Stored[]> {
    const page_size = Math.min(limit, PAGE_MAX)
    return take(this.given.mneme.list({ ...this.#owner(namespace), filter: JSON.stringify(filter), page_size }), limit)
  }

  async #search({ namespacePrefix, filter = {}, limit = 10, offset = 0, query }: SearchOperation) {
    const conditions = { ...below(namespacePrefix), ...conditionsOf(filter) }
    const last = offset + limit
    const asked = { ...this.#owner(namespacePrefix), filter: conditions, limit: Math.min(last, PAGE_MAX) }
    const found = query
      ? take(this.given.mneme.search(query.slice(0, QUERY_MAX), asked), last)
      : this.#list(namespacePrefix, conditions, last)
    return (await found).slice(offset).map(toItem)
  }

  /** No list has namespaces alone, so all items below the prefix are read. */
  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation): Promise<string[][]> {
    const { path = [] } = matchConditions.find(isPlainPrefix) ?? {}
    const items = await this.#list(path, below(path), Number.POSITIVE_INFINITY)
    const found = items.map(item => toItem(item).namespace).filter(one => matchConditions.every(by => matches(by, one)))
    const paths = new Set(found.map(namespace => pathOf(namespace.slice(0, maxDepth))))
    const page = [...paths].toSorted().slice(offset, offset + limit)
    return page.map(one => one.split('.'))
  }
}

const pathOf = (namespace: readonly string[]) => namespace.join('.')
const placeOf = ({ namespace, key }: GetOperation) => ({ namespace: pathOf(namespace), key })
const below = (prefix: readonly string[]) => (prefix.length > 0 ? { within: pathOf(prefix) } : {})

async function take<T>(items: AsyncIterable<T>, limit: number): Promise<T[]> {
  const taken: T[] = []
  if (limit > 0) for await (const item of items) if (taken.push(item) >= limit) break
  return taken
}

function toItem({ metadata, created_at, updated_at, ...rest }: Stored): SearchItem {
  const { namespace, key, value } = metadata as { namespace: string; key: string; value: Item['value'] }
  const times = { createdAt: new Date(created_at), updatedAt: new Date(updated_at) }
  const item = { namespace: namespace.split('.'), key, value, ...times }
  return 'score' in rest ? { ...item, score: Number(rest.score) } : item
}

/** LangGraph writes `{ price: { $gt: 4 } }` where the service writes `{ 'value.price': { gt: 4 } }`. */
function conditionsOf(filter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: object = JSON.parse(JSON.stringify(filter).replace(/"\$(\w+)":/g, '"$1":'))
  const named = (name: string) => `value.${name.replace(/[.\\]/g, '\\$&')}`
  return Object.fromEntries(Object.entries(plain).map(([name, one]) => [named(name), one]))
}

const isPlainPrefix = ({ matchType, path }: MatchCondition) => matchType === 'prefix' && !path.includes('*')

function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  const part = matchType === 'prefix' ? namespace.slice(0, path.length) : namespace.slice(-path.length)
  return part.length === path.length && path.every((label, n) => label === '*' || label === part[n])
}

/** Reads the texts below a path. A word alone says little, and stands behind the name that it has in the value. */
function textsAt(value: unknown, [step, ...path]: readonly string[], name = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    const inside = Object.entries(value).filter(([key]) => step === undefined || step === '*' || step === key)
    return inside.flatMap(([key, one]) => textsAt(one, path, Array.isArray(value) ? name : key))
  }
  if (step !== undefined || value === undefined || value === null || value === '') return []
  return [name === '' || /\s/.test(String(value)) ? String(value) : `${name}: ${value}`]
}
