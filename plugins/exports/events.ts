import { type EventDefinition, Type } from 'mneme/plugin'

export const EXPORT_COMPLETED = 'export.completed'

/** For the activity feed; webhooks cannot subscribe to it. */
export const exportEvents: readonly EventDefinition[] = [
  {
    kind: EXPORT_COMPLETED,
    label: 'Export completed',
    description: 'An export can be downloaded.',
    public: false,
    schema: Type.Object(
      {
        format: Type.String({ description: 'JSONL, JSON, CSV or MARKDOWN.' }),
        records: Type.Integer({ description: 'The number of records in it.' }),
        size_bytes: Type.Integer({ description: 'The size of the file.' }),
      },
      { additionalProperties: false },
    ),
    example: { format: 'JSONL', records: 1200, size_bytes: 482_113 },
  },
]
