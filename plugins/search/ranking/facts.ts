import { Type } from '@sinclair/typebox'
import type { Signal } from './signal.ts'

/** Another plugin is so sure that the memory tells what the query asks, from 0 to 1. */
export const facts: Signal = {
  id: 'facts',
  weight: 0.7,
  neutral: 0,
  of:
    ({ connections }) =>
    ({ memoryId }) =>
      connections?.get(memoryId)?.facts ?? 0,
  explain: Type.Number({ description: 'How sure the knowledge graph is that it tells what the query asks.' }),
}
