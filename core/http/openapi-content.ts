import type { TSchema } from '@sinclair/typebox'
import type { MountedRoute } from './mount.ts'
import type { PublishedSchemas } from './openapi-parts.ts'
import type { Route } from './route.ts'
import { sizeText } from './sizes.ts'
import type { FileRule, FormDefinition } from './upload.ts'

type Json = Record<string, unknown>

/**
 * Describes a file's bytes; JSON Schema calls them by `contentMediaType`, and pages that show a file picker still look
 * for `format`.
 */
const BINARY = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }

/** Describes a route's request body, if it takes one. */
export function requestBodyOf({ route, body, upload }: MountedRoute, schemas: PublishedSchemas): Json | undefined {
  if (!upload)
    return body && { required: true, content: jsonContent(schemas.publish(body.schema), route.examples?.body) }
  const { definition, fields } = upload
  const note =
    definition.upload === 'formStream'
      ? `At most ${sizeText(definition.maxBytes)}. Send the fields before the file: \`workspace_id\` cannot select another workspace after it.`
      : `At most ${sizeText(definition.maxBytes)}.`
  const content = formContent(definition, schemas.publish(fields.schema), route.examples?.body)
  return { required: true, description: note, content }
}

/** Describes a success body, whether it is JSON or not. */
export function responseContent(
  { examples, contentType, download }: Route,
  status: number,
  schema: TSchema | null,
  schemas: PublishedSchemas,
): Json {
  if (schema)
    return { content: jsonContent(schemas.publish(schema), examples?.responses?.[status] ?? examples?.response) }
  if (!contentType) return {}
  const media = { schema: download ? BINARY : { type: 'string' } }
  // The example of a file is one in JSON.
  const example = examples?.response === undefined ? {} : { example: examples.response }
  const content = [contentType]
    .flat()
    .map(type => [type, type === 'application/json' ? { ...media, ...example } : media])
  return { content: Object.fromEntries(content) }
}

/** Describes the further successes of a route that sends a download. */
export function downloadResponses(route: Route, schemas: PublishedSchemas): Record<string, Json> {
  if (!route.download) return {}
  // A part of a JSON document has no schema.
  const part = route.responses[200] ? {} : responseContent(route, 206, null, schemas)
  return {
    206: { description: 'Partial Content: the part that `Range` asks for.', ...part },
    304: { description: 'Not Modified: the client has it, by `If-None-Match` or `If-Modified-Since`.' },
  }
}

function jsonContent(schema: Json, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

function formContent({ files }: FormDefinition, fields: Json, example: unknown): Json {
  const parts = Object.entries(files)
  const requiredFiles = parts.filter(([, rule]) => !rule.optional).map(([name]) => name)
  const required = [...((fields.required as string[] | undefined) ?? []), ...requiredFiles]
  const schema = {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties: {
      ...(fields.properties as Json),
      ...Object.fromEntries(parts.map(([name, rule]) => [name, fileSchema(rule)])),
    },
  }
  const typed = parts.filter(([, { contentTypes }]) => contentTypes)
  const encoding = Object.fromEntries(
    typed.map(([name, { contentTypes = [] }]) => [name, { contentType: contentTypes.join(', ') }]),
  )
  return {
    'multipart/form-data': {
      schema,
      ...(typed.length > 0 ? { encoding } : {}),
      ...(example === undefined ? {} : { example }),
    },
  }
}

function fileSchema({ description, maxBytes, maxCount }: FileRule): Json {
  const told = `${description} At most ${sizeText(maxBytes)}${maxCount === undefined ? '' : ' each'}.`
  return maxCount === undefined
    ? { ...BINARY, description: told }
    : { type: 'array', maxItems: maxCount, items: BINARY, description: told }
}
