import type { EventDefinition, NewEvent } from 'mneme/plugin'

export const KNOWLEDGE_UPDATED = 'knowledge.updated'

export const knowledgeEvents: readonly EventDefinition[] = [
  { kind: KNOWLEDGE_UPDATED, description: 'The knowledge of a user changed.', public: true },
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
