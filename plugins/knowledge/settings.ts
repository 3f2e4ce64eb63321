import { Type } from '@sinclair/typebox'

export const knowledgeConfig = Type.Object({
  KNOWLEDGE_DEBOUNCE_MS: Type.Integer({
    default: 5_000,
    minimum: 0,
    maximum: 600_000,
    description:
      'Milliseconds without changes after which the knowledge of a user is compiled; at most six times as long while changes go on.',
  }),
})

/** Changes that go on and on put a compilation off no longer than this many times the debounce. */
export const WAITS_MAX = 6
