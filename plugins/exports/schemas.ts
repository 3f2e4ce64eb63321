import { oneOf, pageOf, Type, uuid } from 'mneme/plugin'
import { ARCHIVE_LINE_BYTES_MAX, categoriesField, identifier } from '../memories/contract.ts'
import { FORMATS, STATUSES } from './job.ts'

export const IMPORT_BYTES_MAX = 2 * 1024 * 1024 * 1024
export const LINE_BYTES_MAX = ARCHIVE_LINE_BYTES_MAX
export const FAULTS_SHOWN = 20

export const exportBody = Type.Object({
  format: oneOf(FORMATS, {
    description: 'JSONL can be imported again without loss; JSON, CSV (memories only) and MARKDOWN are for other uses.',
  }),
  user_id: Type.Optional(identifier('Only memories of this user; those of all users when left out.')),
  categories: categoriesField(
    'Only memories with at least one of these. Sections that cannot be narrowed down to them, such as `graph`, are left out.',
  ),
  include: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description:
        'What is included: `memories`, `history` (with its memories), `knowledge`, `graph`, `ingest` (documents), `templates`, and sections of further plugins. Everything when left out, memories alone where it is empty and in CSV. Beside `categories` it may not name `graph` or `templates`.',
    }),
  ),
})

export const exportParams = Type.Object({ id: uuid({ description: "The export's id." }) })
export const importParams = Type.Object({ id: uuid({ description: "The import's id." }) })

export const importFields = Type.Object({
  user_id: Type.Optional(identifier('The user of memories that name none; `default` when left out.')),
})

const time = (description: string) => Type.String({ format: 'date-time', description })
const count = (description: string) => Type.Integer({ description })
const orNull = (schema: ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const status = Type.Union(
  STATUSES.map(word => Type.Literal(word)),
  { description: 'How far it is.' },
)

export const exportResponse = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: "The export's id." }),
    format: Type.String({ description: 'JSONL, JSON, CSV or MARKDOWN.' }),
    status,
    progress: Type.Object(
      { total: orNull(Type.Integer(), 'Memories to write; null before it begins.'), done: count('Records written.') },
      { description: 'How much of it is written.' },
    ),
    user_id: orNull(Type.String(), 'The user whose memories it has; null: all users.'),
    categories: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The categories it has; null: all.',
    }),
    include: Type.Array(Type.String(), { description: 'What is included.' }),
    size_bytes: orNull(
      Type.Integer(),
      'The size of the file, once it is written. An import takes at most 2 GB: of more, export each user by `user_id`, and templates by `include: ["templates"]`.',
    ),
    sha256: orNull(Type.String(), 'SHA-256 of the file in hex, once it is written.'),
    error: orNull(Type.String(), 'Why it failed, when it did.'),
    created_at: time('When it was asked for.'),
    updated_at: time('When it last moved.'),
    expires_at: orNull(
      Type.String({ format: 'date-time' }),
      'Until when the file can be downloaded; null before it is written.',
    ),
  },
  { title: 'Export' },
)

export const importResponse = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: "The import's id." }),
    format: orNull(
      Type.String(),
      'The shape of the file: `mneme`, a JSONL export of this service; `plain`, lines of JSON; `list` or `document`, one JSON list or object, as exports of mem0, of Zep and of this service in JSON are; null before it is known.',
    ),
    status,
    progress: Type.Object(
      { total: count('Bytes of the file.'), done: count('Bytes read.') },
      { description: 'How much of the file is read.' },
    ),
    user_id: Type.String({ description: 'The user of memories that name none.' }),
    file_name: orNull(Type.String(), 'The name of the file.'),
    memories_created: count('Memories that were stored.'),
    memories_skipped: count('Memories whose id or text the workspace has already.'),
    memories_expired: count('Memories that had expired, and facts that their service says are no longer true.'),
    records_restored: count(
      'Records of other sections that were put back: knowledge written by hand, documents, templates.',
    ),
    lines_failed: count('Lines, or items, that could not be read or stored.'),
    errors: Type.Array(
      Type.Object({
        line: count('The line, or item, from 1.'),
        message: Type.String({ description: 'What is wrong.' }),
      }),
      { description: `The first ${FAULTS_SHOWN} of them.` },
    ),
    error: orNull(Type.String(), 'Why it failed, when it did.'),
    created_at: time('When the file was uploaded.'),
    updated_at: time('When it last moved.'),
  },
  { title: 'Import' },
)

export const exportPage = pageOf(exportResponse)
export const importPage = pageOf(importResponse)
