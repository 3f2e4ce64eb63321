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
 * Replaces parameters that several operations have by references, and returns what they refer to. Of different ones of
 * a name, such as the `user_id` of memories and of jobs, the one that most operations have gets it. Those of paths keep
 * their places: an `id` says nothing without its path.
 */
export function shareParameters(operations: readonly { parameters: Json[] }[]): Readonly<Record<string, Json>> {
  const { named, share } = sharedParts('parameters')
  const all = operations.flatMap(({ parameters }) => parameters)
  const repeated = [...Map.groupBy(all, asText)]
    .filter(([, [{ name, in: place } = {}, ...others]]) => others.length > 0 && place !== 'path' && isKey(name))
    .toSorted(([, a], [, b]) => b.length - a.length)
  const references = new Map(repeated.map(([text, [first = {}]]) => [text, share(String(first.name), first)]))
  for (const operation of operations)
    operation.parameters = operation.parameters.map(parameter => references.get(asText(parameter)) ?? parameter)
  return named
}

const asText = (parameter: Json): string => JSON.stringify(parameter)

/** OpenAPI allows no other names in `components`. */
const isKey = (name: unknown): boolean => /^[\w.-]+$/.test(String(name))
