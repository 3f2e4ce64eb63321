import type { Json } from './client.ts'

const PREFIX = '#/components/schemas/'

/** Copies an OpenAPI document with every named schema in the places that refer to it. */
export function inlined(document: Json): Json {
  function copy(part: Json): Json {
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    if (typeof part.$ref === 'string' && part.$ref.startsWith(PREFIX))
      return copy(document.components.schemas[part.$ref.slice(PREFIX.length)])
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, copy(value)]))
  }
  return copy(document)
}
