import { readFile, stat } from 'node:fs/promises'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { messageOf, text as textOf } from 'mneme/plugin'
import { QUERY_MAX } from '../../memories/contract.ts'

const text = Type.String({ minLength: 1, pattern: '\\S' })
const list = Type.Array(text, { minItems: 1 })

const expectation = Type.Union([
  text,
  Type.Object(
    {
      id: Type.Optional(text),
      text: Type.Optional(text),
      metadata: Type.Optional(Type.Object({}, { additionalProperties: true, minProperties: 1 })),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
])

/** The filter fields of `POST /v1/memories/search`. */
const filters = Type.Object(
  {
    user_id: Type.Optional(text),
    agent_id: Type.Optional(text),
    session_id: Type.Optional(text),
    priority: Type.Optional(text),
    priorities: Type.Optional(list),
    categories: Type.Optional(list),
    created_after: Type.Optional(text),
    created_before: Type.Optional(text),
    filter: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { additionalProperties: false },
)

const question = Type.Object(
  {
    query: textOf({ minLength: 1, maxLength: QUERY_MAX, notBlank: true }),
    expected: Type.Array(expectation, { minItems: 1, maxItems: 100 }),
    filters: Type.Optional(filters),
  },
  { additionalProperties: false },
)

/** A question with its expected memories, given by id, by a text they contain, or by metadata. */
export type Question = Static<typeof question>
export type Expectation = Static<typeof expectation>

/** The file cannot be used; the message is for its author. */
export class BadQuestions extends Error {}

const FILE_BYTES_MAX = 20_000_000
const QUESTIONS_MAX = 10_000
const FAULTS_SHOWN = 10

/** Reads a file of questions. @throws BadQuestions naming every fault by its place in the file */
export async function readQuestions(path: string): Promise<Question[]> {
  let content: string
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new BadQuestions(`${path} is larger than ${FILE_BYTES_MAX / 1e6} MB.`)
    content = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof BadQuestions) throw error
    throw new BadQuestions(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  return parseQuestions(content, path)
}

interface Entry {
  readonly place: string
  readonly value: unknown
}

/** Parses a JSON array, or one JSON object per line. */
export function parseQuestions(content: string, path: string): Question[] {
  const body = content.replace(/^\uFEFF/, '').trim()
  if (body === '') throw new BadQuestions(`${path} is empty.`)
  const entries = body.startsWith('[') ? entriesOfArray(body, path) : entriesOfLines(body, path)
  if (entries.length === 0) throw new BadQuestions(`${path} contains no questions.`)
  if (entries.length > QUESTIONS_MAX) throw new BadQuestions(`${path} contains more than ${QUESTIONS_MAX} questions.`)
  const faults = entries.flatMap(faultsOf)
  if (faults.length > 0) throw new BadQuestions(`${path} is invalid:\n${shown(faults)}`)
  return entries.map(({ value }) => Value.Decode(question, value))
}

function entriesOfArray(body: string, path: string): Entry[] {
  try {
    const parsed: unknown = JSON.parse(body)
    return Array.isArray(parsed) ? parsed.map((value, index) => ({ place: `question ${index + 1}`, value })) : []
  } catch (error) {
    throw new BadQuestions(`${path} is not JSON: ${messageOf(error)}`, { cause: error })
  }
}

function entriesOfLines(body: string, path: string): Entry[] {
  const faults: string[] = []
  const entries = body.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const place = `line ${index + 1}`
    try {
      return [{ place, value: JSON.parse(line) as unknown }]
    } catch (error) {
      faults.push(`${place}: is not JSON (${messageOf(error)})`)
      return []
    }
  })
  if (faults.length > 0) {
    throw new BadQuestions(`${path} should be a JSON array, or one JSON object per line:\n${shown(faults)}`)
  }
  return entries
}

function faultsOf({ place, value }: Entry): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place}: is no object`]
  const faults = new Map<string, string>()
  for (const error of Value.Errors(question, value)) {
    const where = error.path.slice(1).replaceAll('/', '.')
    if (!faults.has(where)) faults.set(where, sentence(error.schema, where, error.message))
  }
  return [...faults].map(([where, message]) => `${place}: ${where} ${message}`)
}

function sentence(schema: TSchema, where: string, message: string): string {
  if (/^expected\.\d+$/.test(where)) {
    return 'should be an id, a text, or an object with one or more of id, text and metadata'
  }
  if (message === 'Unexpected property') return 'is not known here'
  if (message === 'Expected required property') return 'is missing'
  if (schema.type === 'string') return `should be a text that is not blank${maxOf(schema)}`
  if (schema.type === 'array') return `should be a list of 1${schema.maxItems ? ` to ${schema.maxItems}` : ' or more'}`
  return message.charAt(0).toLowerCase() + message.slice(1)
}

function maxOf({ maxLength }: TSchema): string {
  return typeof maxLength === 'number' ? `, at most ${maxLength} characters` : ''
}

function shown(faults: readonly string[]): string {
  const rest = faults.length - FAULTS_SHOWN
  return [...faults.slice(0, FAULTS_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])]
    .map(fault => `  ${fault}`)
    .join('\n')
}
