import { Type } from '@sinclair/typebox'
import type { Signal } from './signal.ts'

/** The strength of the connection to what the query names, from 0 to 1, as other plugins know it. */
export const entities: Signal = {
  id: 'entities',
  weight: 0.3,
  neutral: 0,
  of:
    ({ connections }) =>
    ({ memoryId }) =>
      connections?.get(memoryId)?.entities ?? 0,
  explain: Type.Number({ description: 'The strength of its connection to entities of the query.' }),
}
