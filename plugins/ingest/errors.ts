import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const ingestErrors = {
  INGEST_JOB_NOT_FOUND: { status: 404, message: 'The workspace has no ingest job with this id.' },
  INGEST_JOB_FINISHED: { status: 409, message: 'The ingest job has ended already.' },
  INGEST_JOB_REPLACING: {
    status: 409,
    message: 'The job is putting a newer version in the place of the older one. Delete it once it has ended.',
  },
  UNSUPPORTED_FORMAT: { status: 415, message: 'Files of this format cannot be read.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failIngest = failWith(ingestErrors)
