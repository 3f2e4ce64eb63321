/** Responses as the reference shows them. */

export const exportExample = {
  id: '2f7d9c14-6b80-4e35-a1c9-5d3e8f7a2b60',
  format: 'JSONL',
  status: 'COMPLETED',
  progress: { total: 1200, done: 1200 },
  user_id: null,
  categories: null,
  include: ['memories', 'history', 'knowledge', 'graph', 'ingest', 'templates'],
  size_bytes: 482_113,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  error: null,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:02.000Z',
  expires_at: '2026-03-08T09:30:02.000Z',
}

export const newExportExample = {
  ...exportExample,
  status: 'PENDING',
  progress: { total: null, done: 0 },
  size_bytes: null,
  sha256: null,
  updated_at: exportExample.created_at,
  expires_at: null,
}

export const importExample = {
  id: '8b1e5a37-4c92-4f60-9d2b-7e6a1c8f3054',
  format: 'mneme',
  status: 'COMPLETED',
  progress: { total: 482_113, done: 482_113 },
  user_id: 'default',
  file_name: 'mneme-export.jsonl',
  memories_created: 1180,
  memories_skipped: 20,
  memories_expired: 0,
  records_restored: 3,
  lines_failed: 0,
  errors: [],
  error: null,
  created_at: '2026-03-02T10:00:00.000Z',
  updated_at: '2026-03-02T10:00:31.000Z',
}

export const newImportExample = {
  ...importExample,
  format: null,
  status: 'PENDING',
  progress: { total: 482_113, done: 0 },
  memories_created: 0,
  memories_skipped: 0,
  memories_expired: 0,
  records_restored: 0,
  updated_at: importExample.created_at,
}
