import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const knowledgeErrors = {
  KNOWLEDGE_NOT_FOUND: { status: 404, message: 'No knowledge entry of this workspace has this id.' },
  KNOWLEDGE_VERSION_NOT_FOUND: {
    status: 404,
    message: 'This version of the knowledge entry is not kept; GET /v1/knowledge/:id/versions lists those that are.',
  },
  KNOWLEDGE_CHANGED: {
    status: 409,
    message: 'The entry has another version by now; read it again and make the change there.',
  },
  PROFILE_SCHEMA_NOT_FOUND: { status: 404, message: 'The workspace has no schema of profiles; set one with PUT.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failKnowledge = failWith(knowledgeErrors)
