import { type EventDefinition, type NewEvent, Type } from 'mneme/plugin'
import type { Template } from './template.ts'

const TEMPLATE_APPLIED = 'template.applied'

/** For the activity feed; the memories themselves are told by `memory.created`. */
export const templateEvents: readonly EventDefinition[] = [
  {
    kind: TEMPLATE_APPLIED,
    label: 'Template applied',
    description: 'The memories of a template were stored for a user.',
    public: false,
    schema: Type.Object(
      {
        name: Type.String({ description: "The template's name." }),
        user_id: Type.String({ description: 'The user the memories belong to.' }),
        memories_created: Type.Integer({ description: 'The number of memories that were new.' }),
      },
      { additionalProperties: false },
    ),
    example: { name: 'New customer', user_id: 'ada', memories_created: 3 },
  },
]

export function appliedEvent(workspaceId: string, template: Template, userId: string, created: number): NewEvent {
  return {
    kind: TEMPLATE_APPLIED,
    workspaceId,
    subjectId: template.id,
    userId,
    data: { name: template.name, user_id: userId, memories_created: created },
  }
}
