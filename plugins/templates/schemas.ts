import { oneOf, pageOf, type Static, type TProperties, Type, text, uuid } from 'mneme/plugin'
import { LAYERS, listedMemory, newMemoryFields, TEXT_MAX } from '../memories/contract.ts'

export const NAME_MAX = 200
const DESCRIPTION_MAX = 2000
const VARIABLES_MAX = 50
export const MEMORIES_MAX = 100
const VALUE_MAX = 10_000
/** The JSON of a template in UTF-8: a page of a hundred templates is a response of at most some 10 MB. */
export const TEMPLATE_BYTES_MAX = 100_000

const nullableText = (options: { maxLength: number; description: string }) =>
  Type.Union([text(options), Type.Null()], {
    errorMessage: `must be a string of at most ${options.maxLength} characters, or null`,
    description: options.description,
  })

const variableName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
  errorMessage: 'must begin with a letter or _ and hold only letters, digits and _, at most 64',
  description: 'The name that stands between the braces.',
})

const variable = Type.Object({
  name: variableName,
  required: Type.Optional(
    Type.Boolean({ description: 'True when left out: without a value and a default the template is not applied.' }),
  ),
  default: Type.Optional(
    nullableText({ maxLength: VALUE_MAX, description: 'The value where none is given; null or left out: none.' }),
  ),
})

export const templateMemory = Type.Object({
  memory: text({
    minLength: 1,
    maxLength: TEXT_MAX,
    notBlank: true,
    description: 'The text, with `{{variable}}` where a value goes.',
  }),
  categories: newMemoryFields.categories,
  priority: newMemoryFields.priority,
  metadata: newMemoryFields.metadata,
  layer: Type.Optional(oneOf(LAYERS, { description: 'TASK expires by itself, RAW (the default) stays.' })),
})

const name = text({ minLength: 1, maxLength: NAME_MAX, notBlank: true, description: 'A name for people.' })
const description = nullableText({ maxLength: DESCRIPTION_MAX, description: 'Says what the template is for.' })
const variables = Type.Array(variable, { maxItems: VARIABLES_MAX, description: 'Every placeholder of the texts.' })
const memories = Type.Array(templateMemory, {
  minItems: 1,
  maxItems: MEMORIES_MAX,
  description: `The memories it makes, in order. The whole template has at most ${TEMPLATE_BYTES_MAX} bytes of JSON.`,
})

export const createBody = Type.Object({
  name,
  description: Type.Optional(description),
  variables: Type.Optional(variables),
  memories,
})
export type CreateBody = Static<typeof createBody>

export const updateBody = Type.Partial(createBody)
export type UpdateBody = Static<typeof updateBody>

const values = Type.Record(Type.String({ maxLength: 64 }), text({ maxLength: VALUE_MAX }), {
  description: 'Values by the names of variables. A name that the template does not have is an error.',
})

export const previewBody = Type.Object({ variables: Type.Optional(values) })
export const applyBody = Type.Object({
  user_id: newMemoryFields.user_id,
  agent_id: newMemoryFields.agent_id,
  session_id: newMemoryFields.session_id,
  variables: Type.Optional(values),
})
export type ApplyBody = Static<typeof applyBody>

export const templateParams = Type.Object({ id: uuid({ description: "The template's id." }) })
export const builtInParams = Type.Object({
  key: text({ minLength: 1, maxLength: 100, description: "The built-in template's key." }),
})

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const time = (description: string) => Type.String({ format: 'date-time', description })

const memoryResponse = Type.Object(
  {
    memory: Type.String({ description: 'The text.' }),
    categories: Type.Array(Type.String(), { description: 'Its categories.' }),
    priority: Type.String({ description: 'LOW, MEDIUM or HIGH.' }),
    metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description: 'Its metadata.' }),
    layer: Type.String({ description: 'TASK or RAW.' }),
  },
  { title: 'TemplateMemory' },
)

const content: TProperties = {
  name: Type.String({ description: 'Its name.' }),
  description: orNull('What it is for.'),
  variables: Type.Array(
    Type.Object(
      {
        name: Type.String({ description: 'The name that stands between the braces.' }),
        required: Type.Boolean({ description: 'Whether a value must be given where there is no default.' }),
        default: orNull('The value where none is given.'),
      },
      { title: 'TemplateVariable' },
    ),
    { description: 'Its placeholders.' },
  ),
  memories: Type.Array(memoryResponse, { description: 'The memories it makes, in order.' }),
}

export const templateResponse = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: "The template's id." }),
    ...content,
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
  },
  { title: 'Template' },
)

export const templatePage = pageOf(templateResponse)

export const builtInPage = pageOf(
  Type.Object(
    { key: Type.String({ description: 'Names it when it is copied.' }), ...content },
    { title: 'BuiltInTemplate' },
  ),
)

export const previewResponse = Type.Object({
  memories: Type.Array(memoryResponse, { description: 'The memories as they would be stored, in order.' }),
})

export const applyResponse = Type.Object({
  memories_created: Type.Integer({ description: 'How many were stored.' }),
  memories_skipped: Type.Integer({ description: 'How many were left out, as the workspace has their text already.' }),
  memories: Type.Array(listedMemory(), { description: 'The memories that were stored, in order.' }),
})
