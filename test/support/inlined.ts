import type { Json } from './client.ts'

const PREFIX = '#/components/'

/** Copies an OpenAPI document with what stands in `components`, or in some of its sections, in the places that refer to it. */
export function inlined(document: Json, sections: readonly string[] = Object.keys(document.components)): Json {
  function copy(part: Json): Json {
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    const [section = '', name = ''] = typeof part.$ref === 'string' ? part.$ref.slice(PREFIX.length).split('/') : []
    if (sections.includes(section)) return copy(document.components[section][name])
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, copy(value)]))
  }
  return copy(document)
}
