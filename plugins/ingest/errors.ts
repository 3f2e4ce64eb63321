import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const ingestErrors = {
  INGEST_JOB_NOT_FOUND: { status: 404, message: 'The workspace has no ingest job with this id.' },
  INGEST_JOB_FINISHED: { status: 409, message: 'The ingest job has ended already.' },
  INGEST_JOB_REPLACING: {
    status: 409,
    message: 'A newer version is being put in the place of the older one. Delete the job once that has ended.',
  },
  DOCUMENT_AMBIGUOUS: {
    status: 409,
    message: 'Several documents have the name of the file. Give document_name to say which documents it replaces.',
  },
  UNSUPPORTED_FORMAT: { status: 415, message: 'Files of this format cannot be read.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failIngest = failWith(ingestErrors)
