import type { Collection, Document, Field } from './documents.test-support.ts'
import { FakeFault, parseFilter } from './filter.test-support.ts'
import { type FakeSearch, fieldsOf, search } from './search.test-support.ts'

/** The default of Typesense's `limit_multi_searches`. */
const SEARCHES_MAX = 50

/** The data of one node. */
export class Store {
  readonly collections = new Map<string, Collection>()
  readonly aliases = new Map<string, string>()
  /** Tells which documents searches with the HNSW index overlook. */
  overlooked: (document: Document) => boolean = () => false

  clear(): void {
    this.collections.clear()
    this.aliases.clear()
  }

  /** Finds a collection by its name or an alias. */
  collection(name: string): Collection {
    const collection = this.collections.get(this.aliases.get(name) ?? name)
    if (!collection) throw new FakeFault(404, `Could not find a collection named ${name}`)
    return collection
  }

  create({ name, fields, metadata }: { name: string; fields: readonly Field[]; metadata?: unknown }): object {
    if (this.collections.has(name)) throw new FakeFault(409, `A collection with name \`${name}\` already exists.`)
    const collection = {
      name,
      metadata,
      fields: new Map(fields.map(field => [field.name, field])),
      documents: new Map(),
    }
    this.collections.set(name, collection)
    return describe(collection)
  }

  alter(name: string, { fields }: { fields: readonly Field[] }): object {
    const collection = this.collection(name)
    for (const field of fields) {
      if (collection.fields.has(field.name)) {
        throw new FakeFault(
          400,
          `Field \`${field.name}\` is already part of the schema: To change this field, drop it first before adding it back to the schema.`,
        )
      }
      collection.fields.set(field.name, field)
    }
    return { fields }
  }

  drop(name: string): object {
    const collection = this.collection(name)
    this.collections.delete(collection.name)
    return describe(collection)
  }

  /** Returns a result per line, because an import never fails as a whole. */
  upsert(name: string, body: string, refuse: (document: Document) => string | undefined): string {
    const { fields, documents } = this.collection(name)
    return body
      .split('\n')
      .map(line => {
        const document: Document = JSON.parse(line)
        const error = faultOf(document, fields) ?? refuse(document)
        if (error !== undefined) return JSON.stringify({ code: 400, document: line, error, success: false })
        documents.delete(document.id)
        documents.set(document.id, document)
        return '{"success":true}'
      })
      .join('\n')
  }

  remove(name: string, filter: string): { num_deleted: number } {
    const { fields, documents } = this.collection(name)
    const passes = parseFilter(filter, fields)
    const gone = [...documents.values()].filter(passes)
    for (const { id } of gone) documents.delete(id)
    return { num_deleted: gone.length }
  }

  export(name: string, filter: string, include: string | undefined): string {
    const { fields, documents } = this.collection(name)
    const passes = parseFilter(filter, fields)
    return [...documents.values()]
      .filter(passes)
      .map(document => JSON.stringify(fieldsOf(document, include)))
      .join('\n')
  }

  /** Each search fails by itself. */
  multiSearch(searches: readonly FakeSearch[]): { results: object[] } {
    if (searches.length > SEARCHES_MAX) {
      throw new FakeFault(400, 'Number of multi searches exceeds `limit_multi_searches` parameter.')
    }
    return {
      results: searches.map(asked => {
        try {
          return search(this.searched(asked.collection ?? ''), asked, this.overlooked)
        } catch (error) {
          if (error instanceof FakeFault) return { code: error.code, error: error.message }
          throw error
        }
      }),
    }
  }

  searched(name: string): Collection {
    const collection = this.collections.get(this.aliases.get(name) ?? name)
    if (!collection) throw new FakeFault(404, 'Not found.')
    return collection
  }
}

export function describe({ name, metadata, fields, documents }: Collection): object {
  return {
    name,
    ...(metadata === undefined ? {} : { metadata }),
    created_at: 1_790_000_000,
    default_sorting_field: '',
    enable_nested_fields: false,
    fields: [...fields.values()],
    num_documents: documents.size,
    symbols_to_index: [],
    token_separators: [],
  }
}

function faultOf(document: Document, fields: ReadonlyMap<string, Field>): string | undefined {
  for (const { name, type, optional, num_dim } of fields.values()) {
    const value = document[name]
    if (value === undefined) {
      if (optional) continue
      return `Field \`${name}\` has been declared in the schema, but is not found in the document.`
    }
    const items = type.endsWith('[]') ? value : [value]
    if (!Array.isArray(items)) return `Field \`${name}\` must be an array.`
    const kind = type.startsWith('string') ? 'string' : 'number'
    if (items.some(item => typeof item !== kind)) return `Field \`${name}\` must be a ${kind}.`
    if (num_dim !== undefined && items.length !== num_dim) return `Field \`${name}\` must have ${num_dim} dimensions.`
  }
  return undefined
}
