import { type Static, type TSchema, Type, text, uuid } from 'mneme/plugin'
import { modelInstructions, newMemoryFormFields } from '../memories/contract.ts'
import { FILE_FORMATS, fileFormat, sizesInWords } from './formats.ts'
import { FILE_BYTES_MAX, formatOfWord } from './input/format.ts'
import { JOB_FORMATS, JOB_STATUSES } from './job.ts'

const FORMAT_WORDS = FILE_FORMATS.map(
  ({ id, words = [] }) => `\`${id}\`${words.map(word => ` (or \`${word}\`)`).join('')}`,
)

export const ingestFields = Type.Object({
  format: Type.Optional(
    Type.String({
      maxLength: 50,
      description: `${FORMAT_WORDS.join(', ')} or \`URL\`, in any letter case; left out, it is inferred from the file.`,
      // The console offers these.
      'x-formats': FILE_FORMATS.map(({ id, title, extensions, bytesMax }) => ({ id, title, extensions, bytesMax })),
    }),
  ),
  ...newMemoryFormFields,
  source_url: Type.Optional(
    text({ minLength: 1, maxLength: 2000, description: 'The address of a public page, in place of a file.' }),
  ),
  document_name: Type.Optional(
    text({
      minLength: 1,
      maxLength: 1000,
      notBlank: true,
      description:
        "Tells the user's documents apart, as by a path: a newer version replaces what has the same name. Left out, it is the address or the file's name.",
    }),
  ),
  replace: Type.Optional(
    Type.Boolean({
      description:
        'Replaces all that the same user ingested under the same `document_name`: unchanged chunks keep their memories, new ones are added, removed ones deleted, unless another document of the user has them too. Needs memory.delete. Where several documents have the name of the file, `document_name` must be given: 409 `DOCUMENT_AMBIGUOUS`.',
    }),
  ),
  instructions: Type.Optional(modelInstructions),
})
export type IngestFields = Static<typeof ingestFields>

export const ingestFile = {
  description: `The file: ${sizesInWords()}.`,
  maxBytes: FILE_BYTES_MAX,
  maxBytesOf: bytesMaxOf,
  optional: true,
} as const

const string = (description: string) => Type.String({ description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const orNull = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description ?? '' })
const time = (description: string) => Type.String({ format: 'date-time', description })
const oneOf = (values: readonly string[], description: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  )

export const jobResponse = Type.Object(
  {
    id: uuid({ description: "The job's id." }),
    format: oneOf(JOB_FORMATS, 'The format of the file, or `URL`.'),
    status: oneOf(JOB_STATUSES, 'COMPLETED when every memory is searchable.'),
    user_id: string('The user whose memories it makes.'),
    categories: Type.Array(Type.String(), { description: 'Those of its memories.' }),
    memories_created: orNull(count('Memories that it made; null until it is done.')),
    memories_skipped: orNull(
      count('Chunks whose text the workspace had before, or that a plugin refused; null until it is done.'),
    ),
    memories_removed: orNull(count('Memories of older versions that it deleted; null until it is done.')),
    progress: Type.Object(
      {
        chunks_total: orNull(count('Chunks of the document; null until it is read.')),
        chunks_done: count('Chunks that are searchable.'),
      },
      { description: 'How far it is.' },
    ),
    file_name: orNull(string("The file's name.")),
    source_url: orNull(string("The page's address.")),
    document_name: orNull(string('The name by which a newer version replaces it; null where nothing can.')),
    title: orNull(string('The title that the document gives itself.')),
    document_id: uuid({ description: "The same for all versions of a document; also its memories' session_id." }),
    read_by: orNull(string('The reader that read it: `local` or `unstructured`.')),
    warnings: Type.Array(Type.String(), {
      description:
        'What of the document could not be read and is in no memory, as damaged pages, or was read by a guess, as its encoding: a sentence each.',
    }),
    error: orNull(string('Why it failed, in a sentence.')),
    error_code: orNull(string('Why it failed, for programs.')),
    created_at: time('When it was submitted.'),
    updated_at: time('When it last moved.'),
  },
  { title: 'IngestJob' },
)

export const jobParams = Type.Object({ id: uuid({ description: "The job's id." }) })

/** The most that a file may have, as far as the fields before it say its format. */
function bytesMaxOf({ format: word }: Readonly<Record<string, unknown>>): number {
  const format = typeof word === 'string' ? formatOfWord(word) : undefined
  return format === undefined || format === 'URL' ? FILE_BYTES_MAX : fileFormat(format).bytesMax
}
