import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const graphErrors = {
  ENTITY_NOT_FOUND: { status: 404, message: 'The workspace has no entity with this id.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failGraph = failWith(graphErrors)
