const base = {
  id: '7d9f2f5e-6a40-4a6d-9d0b-3f1f5b8e2c11',
  format: 'PDF',
  user_id: 'ada',
  categories: ['handbook'],
  file_name: 'handbook.pdf',
  source_url: null,
  document_name: 'handbook.pdf',
  document_id: '7d9f2f5e-6a40-4a6d-9d0b-3f1f5b8e2c11',
  warnings: [],
  error: null,
  error_code: null,
  created_at: '2026-06-02T08:16:12.000Z',
}

export const acceptedExample = {
  ...base,
  status: 'PENDING',
  memories_created: null,
  memories_skipped: null,
  memories_removed: null,
  progress: { chunks_total: null, chunks_done: 0 },
  title: null,
  read_by: null,
  updated_at: '2026-06-02T08:16:12.000Z',
}

export const completedExample = {
  ...base,
  status: 'COMPLETED',
  memories_created: 214,
  memories_skipped: 2,
  memories_removed: 0,
  progress: { chunks_total: 216, chunks_done: 216 },
  title: 'Employee handbook',
  read_by: 'local',
  updated_at: '2026-06-02T08:16:31.000Z',
}

export const listExample = { data: [completedExample], total: 1, page: 1, page_size: 20 }

export const memoriesExample = {
  data: [
    {
      id: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21',
      memory: 'Holidays › Carrying days over\n\nUp to five days can be carried over to the next year.',
      user_id: 'ada',
      agent_id: null,
      session_id: base.document_id,
      priority: 'MEDIUM',
      status: 'COMPLETED',
      categories: ['handbook'],
      metadata: {
        ingest_job_id: base.id,
        document_id: base.document_id,
        file_name: 'handbook.pdf',
        title: 'Employee handbook',
        heading_path: ['Holidays', 'Carrying days over'],
        page: 14,
        place: 12,
      },
      workspace_id: '4b4b9f6e-4c7b-4f3c-9a59-0a1f5f1f8f33',
      source: 'INGEST',
      relevance: 'NONE',
      ended_at: null,
      superseded_by: [],
      newer: [],
      created_at: '2026-06-02T08:16:14.000Z',
      updated_at: '2026-06-02T08:16:14.000Z',
    },
  ],
  total: 214,
  page: 1,
  page_size: 20,
}
