import { type EventDefinition, Type } from 'mneme/plugin'
import { FACTS_CHANGED } from './contract.ts'

export const graphEvents: readonly EventDefinition[] = [
  {
    kind: FACTS_CHANGED,
    label: 'Facts changed',
    description: 'What the graph knows of a user changed.',
    public: false,
    schema: Type.Object(
      { user_id: Type.String(), categories: Type.Array(Type.String()) },
      { additionalProperties: false },
    ),
    example: { user_id: 'ada', categories: ['work_context'] },
  },
]
