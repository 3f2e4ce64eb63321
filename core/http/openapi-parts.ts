type Json = Record<string, unknown>

/** Collects parts of the document that several of its places have in common. */
export interface SharedParts {
  /** Holds the parts met so far, by their names. */
  readonly named: Readonly<Record<string, Json>>
  /** Returns a reference to a part. Another part of a name that is taken is returned as it is, to keep its place. */
  share(name: string, part: Json): Json
}

/** Makes a collection of one of the sections of `components`. */
export function sharedParts(section: string): SharedParts {
  const named: Record<string, Json> = {}
  const texts = new Map<string, string>()
  function share(name: string, part: Json): Json {
    const text = JSON.stringify(part)
    if ((texts.get(name) ?? text) !== text) return part
    texts.set(name, text)
    named[name] = part
    return { $ref: `#/components/${section}/${name}` }
  }
  return { named, share }
}

/**
 * Replaces parameters that many operations have by references, and returns what they refer to. Of different ones of a
 * name, such as the `page_size` of most lists and of one, the one that most operations have gets it. Those of paths keep
 * their places: an `id` says nothing without its path.
 */
export function shareParameters(operations: readonly { parameters: Json[] }[]): Readonly<Record<string, Json>> {
  const { named, share } = sharedParts('parameters')
  const all = operations.flatMap(({ parameters }) => parameters).filter(parameter => parameter.in !== 'path')
  const repeated = [...Map.groupBy(all, asText)]
    .filter(([, { length }]) => length >= OPERATIONS_MIN)
    .toSorted(([, a], [, b]) => b.length - a.length)
  const references = new Map(repeated.map(([text, [first = {}]]) => [text, share(typeName(first), first)]))
  for (const operation of operations)
    operation.parameters = operation.parameters.map(parameter => references.get(asText(parameter)) ?? parameter)
  return named
}

/** Generators make a type of each shared parameter, so those of a few related operations are better read in their places. */
const OPERATIONS_MIN = 3

const asText = (parameter: Json): string => JSON.stringify(parameter)

/** Names the type that generators make, as `PageSizeParameter`; it is none that a schema has. */
function typeName({ name }: Json): string {
  const words = String(name).split(/[^A-Za-z0-9]+/)
  return `${words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Parameter`
}

/** The kernel checks and words faults by these keywords, which mean nothing to readers of JSON Schema. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set(['errorMessage', 'notBlank', 'happened', 'requiredOrAlias'])
/** Says `notBlank` as far as a pattern does that every language reads; the kernel also refuses text of invisible characters alone. */
const NOT_BLANK = { pattern: '\\S' }
const SCHEMA: ReadonlySet<string> = new Set(['items', 'additionalProperties'])
const SCHEMAS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf'])
const SCHEMAS_BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties'])

/** A title of this shape names a type; any other is for people. */
const TYPE_NAME = /^[A-Z][A-Za-z0-9]*$/
/** TypeBox writes these patterns for the keys of a record whose names are not restricted. */
const ANY_NAME: ReadonlySet<string> = new Set(['^(.*)$', '^.*$'])

/** Writes schemas as the document shows them, and collects those that have a name. */
export interface PublishedSchemas {
  /** Holds the named schemas met so far. */
  readonly named: Readonly<Record<string, Json>>
  /** Returns a reference for a schema whose title names a type. */
  publish(schema: Readonly<Record<string, unknown>>): Json
}

/**
 * Generated clients make one type of each named schema. Where two differ under one title, as of two plugins, the second
 * keeps its place without a name.
 */
export function publishedSchemas(): PublishedSchemas {
  const { named, share } = sharedParts('schemas')
  function publish(schema: Readonly<Record<string, unknown>>): Json {
    const plain = inCommonWords(describedOnce(within(schema, publish)))
    const { title, ...untitled } = plain
    return typeof title === 'string' && TYPE_NAME.test(title) ? share(title, untitled) : plain
  }
  return { named, publish }
}

/** Publishes the schemas inside of a schema. */
function within(schema: Readonly<Record<string, unknown>>, publish: (schema: Json) => Json): Json {
  const entries = Object.entries(schema)
    .filter(([keyword]) => !OWN_KEYWORDS.has(keyword))
    .map(([keyword, value]) => {
      if (SCHEMA.has(keyword) && isObject(value)) return [keyword, publish(value)]
      if (SCHEMAS.has(keyword) && Array.isArray(value)) return [keyword, value.map(publish)]
      if (!SCHEMAS_BY_NAME.has(keyword) || !isObject(value)) return [keyword, value]
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, publish(part as Json)]))]
    })
  return { ...(schema.notBlank === true ? NOT_BLANK : {}), ...Object.fromEntries(entries), ...requiredIn(schema) }
}

/**
 * A field that is required unless its other name is sent is shown as required: clients made from the document then have it as such, where a choice
 * of two schemas gives them a field that may be left out, or two types.
 */
function requiredIn({ required, requiredOrAlias }: Json): Json {
  const named = [requiredOrAlias, required].flatMap(names => (Array.isArray(names) ? names : []))
  return named.length > 0 ? { required: named } : {}
}

/** Where a member of a union has the description of the whole, as in `value or null`, the whole's is enough. */
function describedOnce(schema: Json): Json {
  const { anyOf, description } = schema
  if (!Array.isArray(anyOf) || description === undefined) return schema
  return { ...schema, anyOf: anyOf.map(member => (member.description === description ? undescribed(member) : member)) }
}

function undescribed({ description: _, ...schema }: Json): Json {
  return schema
}

/** Generators know an enumeration and a dictionary by these keywords alone. */
function inCommonWords(schema: Json): Json {
  const { anyOf, patternProperties, ...rest } = schema
  if (Array.isArray(anyOf) && anyOf.length > 1 && anyOf.every(isWord))
    return { ...rest, type: 'string', enum: anyOf.map(word => word.const) }
  const [[pattern, value] = ['', undefined], ...others] = Object.entries(patternProperties ?? {})
  if (others.length > 0 || !ANY_NAME.has(pattern) || rest.additionalProperties !== undefined) return schema
  return { ...rest, additionalProperties: value }
}

function isWord(schema: unknown): schema is { readonly const: string } {
  return isObject(schema) && typeof schema.const === 'string' && schema.description === undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
