import { type Bridge, refused } from '../bridge.ts'
import { documentRows } from './document-rows.ts'
import { memoryRows } from './memory-rows.ts'

const FILES = 'Send texts as JSON, and files to `POST /v1/memories/ingest`.'
const ACCOUNTS = ['POST', 'GET', 'DELETE'].flatMap(method =>
  ['/:id', '/:id/:part'].map(rest => `${method} /v3/connections${rest}`),
)

/** Supermemory. */
export const supermemory: Bridge = {
  id: 'supermemory',
  // A file never comes as far as its row, since it is no JSON.
  failureBody: ({ message, error_code }) => ({
    error: error_code === 'UNSUPPORTED_MEDIA_TYPE' ? FILES : message,
    details: error_code,
  }),
  unread: [],
  rows: [
    refused('POST /v3/documents/file', '`documents.uploadFile`', FILES),
    ...documentRows,
    ...memoryRows,
    refused(
      ['GET /v3/settings', 'PATCH /v3/settings'],
      '`settings`',
      'A workspace is set by `PATCH /v1/workspaces/:id`.',
    ),
    refused(
      ACCOUNTS,
      '`connections`',
      'Mneme fetches no accounts of other services; send texts, or files to `POST /v1/memories/ingest`.',
    ),
  ],
}
