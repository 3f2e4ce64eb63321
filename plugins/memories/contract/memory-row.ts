import { failWith, type NamedRow } from 'mneme/plugin'

export const missingErrors = {
  MEMORY_NOT_FOUND: { status: 404, message: 'No memory of this workspace has this id.' },
} as const

const failMissing = failWith(missingErrors)

/** A memory that a request names by its id, as keys that are bound to a user are held to their own. @param field the one that names it */
export const memoryRow = (field = 'id'): NamedRow => ({
  table: 'memories.memory',
  field,
  hasAgent: true,
  missing: () => failMissing('MEMORY_NOT_FOUND'),
})
