/**
 * Keeps of a JSON schema what servers turn into a grammar everywhere: kinds, names, choices. Bounds of lengths and patterns
 * are left out, because servers refuse many of them (llama.cpp counts each repetition of a bound as a rule); the model reads
 * them in its instructions, and the completion is held against them later.
 */
export function grammarOf(schema: unknown): unknown {
  const { type, properties, required, items, anyOf, const: only, enum: choices, description } = Object(schema)
  const said = description === undefined ? {} : { description }
  if (only !== undefined) return { ...said, enum: [only] }
  if (Array.isArray(choices)) return { ...said, type, enum: choices }
  if (Array.isArray(anyOf)) return { ...said, ...choicesOf(anyOf) }
  if (type === 'array') return { ...said, type, items: grammarOf(items) }
  if (type !== 'object' || properties === undefined) return { ...said, type }
  return {
    ...said,
    type,
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, grammarOf(one)])),
    required: required ?? [],
    additionalProperties: false,
  }
}

/** A choice of constants is an `enum`, which more servers know. */
function choicesOf(options: readonly unknown[]): object {
  const constants = options.map(option => Object(option).const)
  return constants.every(one => one !== undefined) ? { enum: constants } : { anyOf: options.map(grammarOf) }
}
