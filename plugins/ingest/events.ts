import { type EventDefinition, type NewEvent, Type } from 'mneme/plugin'
import type { Job } from './job.ts'

const ID = '7d9f2f5e-6a40-4a6d-9d0b-3f1f5b8e2c11'
const closed = { additionalProperties: false }
const common = {
  id: Type.String({ description: "The job's id." }),
  format: Type.String({ description: 'The format that the job was given.' }),
  user_id: Type.String({ description: 'The user whose memories it makes.' }),
  memories_created: Type.Integer({ description: 'Memories that it made.' }),
}

/** Ingest jobs end with one of these. No event carries a file name, an address or text. */
export const ingestEvents: readonly EventDefinition[] = [
  {
    kind: 'ingest.completed',
    label: 'Ingest completed',
    description: 'A file or page became memories, all of them searchable.',
    public: true,
    schema: Type.Object(
      { ...common, memories_skipped: Type.Integer({ description: 'Chunks whose text existed before.' }) },
      closed,
    ),
    example: { id: ID, format: 'PDF', user_id: 'ada', memories_created: 214, memories_skipped: 2 },
  },
  {
    kind: 'ingest.failed',
    label: 'Ingest failed',
    description: 'A file or page could not be made into memories.',
    public: true,
    schema: Type.Object({ ...common, error_code: Type.String({ description: 'Why, for programs.' }) }, closed),
    example: { id: ID, format: 'PDF', user_id: 'ada', memories_created: 0, error_code: 'PASSWORD_PROTECTED' },
  },
]

export function finishedEvent(workspaceId: string, job: Job): NewEvent {
  const data = { ...commonOf(job), memories_skipped: job.memoriesSkipped }
  return { kind: 'ingest.completed', workspaceId, subjectId: job.id, userId: job.userId, data }
}

export function failedEvent(workspaceId: string, job: Job): NewEvent {
  const data = { ...commonOf(job), error_code: job.errorCode ?? 'INTERNAL_ERROR' }
  return { kind: 'ingest.failed', workspaceId, subjectId: job.id, userId: job.userId, data }
}

function commonOf({ id, format, userId, memoriesCreated }: Job) {
  return { id, format, user_id: userId, memories_created: memoriesCreated }
}
