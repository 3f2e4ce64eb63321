import { type EventDefinition, type NewEvent, Type } from 'mneme/plugin'

export const KNOWLEDGE_UPDATED = 'knowledge.updated'

export const knowledgeEvents: readonly EventDefinition[] = [
  {
    kind: KNOWLEDGE_UPDATED,
    label: 'Knowledge updated',
    description: 'The knowledge of a user changed.',
    public: true,
    schema: Type.Object(
      {
        user_id: Type.String({ description: 'The user the knowledge is about.' }),
        categories: Type.Array(
          Type.Object(
            {
              id: Type.String({ description: 'The id of the document.' }),
              category: Type.String(),
              version: Type.Integer({ description: 'Counts the changes of a document, from 1.' }),
              deleted: Type.Optional(Type.Literal(true, { description: 'The document is gone.' })),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    example: {
      user_id: 'ada',
      categories: [{ id: '7e1b4c90-2f8a-4d3e-9b6f-1c5d8e0a3f72', category: 'preferences', version: 4 }],
    },
  },
]

/** An entry that was written, or that is gone. */
export interface EntryChange {
  readonly id: string
  readonly category: string
  readonly version: number
  readonly deleted?: true
}

/** One event for all entries of a user that changed together; none without any. */
export function updatedEvents(workspaceId: string, userId: string, changes: readonly EntryChange[]): NewEvent[] {
  if (changes.length === 0) return []
  const [first] = changes
  return [
    {
      kind: KNOWLEDGE_UPDATED,
      workspaceId,
      subjectId: changes.length === 1 && first ? first.id : null,
      userId,
      data: { user_id: userId, categories: changes },
    },
  ]
}
