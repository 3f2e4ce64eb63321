/**
 * Reads what was typed as metadata; null where there is nothing.
 *
 * @throws {Error} with a sentence that tells what is wrong with it
 */
export function metadataOf(typed: string): object | null {
  if (typed.trim() === '') return null
  const value = parsed(typed)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error('The metadata must be a JSON object, as {"source": "chat"}.')
  }
  return value
}

function parsed(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch (error) {
    throw new Error(`The metadata is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** Metadata as they are shown and edited; empty where there are none. */
export const metadataText = (metadata: object | null) => (metadata === null ? '' : JSON.stringify(metadata, null, 2))
