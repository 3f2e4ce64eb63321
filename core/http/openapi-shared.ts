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
