import { Type } from '@sinclair/typebox'
import type { Priority } from '../../memories/contract.ts'
import type { Signal } from './signal.ts'

const VALUES: Readonly<Record<Priority, number>> = { LOW: -1, MEDIUM: 0, HIGH: 1 }

/** The priority that the writer set; its weight is that until a better balance is learned. */
export const priority: Signal = {
  id: 'priority',
  weight: 0.12,
  keyword: 0.12,
  neutral: 0,
  of: () => candidate => VALUES[candidate.priority],
  explain: Type.Integer({ minimum: -1, maximum: 1, description: '-1 for LOW, 0 for MEDIUM, 1 for HIGH.' }),
}
