import type { TSchema } from '@sinclair/typebox'
import type { MountedRoute } from './mount.ts'
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
export function requestBodyOf({ route, body, upload }: MountedRoute): Json | undefined {
  if (!upload) return body && { required: true, content: jsonContent(body.schema, route.examples?.body) }
  if (upload.kind === 'bytes') {
    const { contentTypes, description, maxBytes } = upload.definition
    const content = Object.fromEntries(contentTypes.map(type => [type, { schema: BINARY }]))
    return { required: true, description: `${description} At most ${sizeText(maxBytes)}.`, content }
  }
  const { definition, fields } = upload.form
  const note =
    upload.kind === 'formStream'
      ? `At most ${sizeText(definition.maxBytes)}. Send the fields before the file: \`workspace_id\` cannot select another workspace after it.`
      : `At most ${sizeText(definition.maxBytes)}.`
  return { required: true, description: note, content: formContent(definition, fields.schema, route.examples?.body) }
}

/** Describes a success body, whether it is JSON or not. */
export function responseContent(
  { examples, contentType, download }: Route,
  status: number,
  schema: TSchema | null,
): Json {
  if (schema) return { content: jsonContent(schema, examples?.responses?.[status] ?? examples?.response) }
  if (!contentType) return {}
  return { content: { [contentType]: { schema: download ? BINARY : { type: 'string' } } } }
}

/** Describes the further successes of a route that sends a download. */
export function downloadResponses(route: Route): Record<string, Json> {
  if (!route.download) return {}
  // A part of a JSON document has no schema.
  const part = route.responses[200] ? {} : responseContent(route, 206, null)
  return {
    206: { description: 'Partial Content: the part that `Range` asks for.', ...part },
    304: { description: 'Not Modified: the client has it, by `If-None-Match` or `If-Modified-Since`.' },
  }
}

export function jsonContent(schema: TSchema, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

function formContent({ files }: FormDefinition, fields: TSchema, example: unknown): Json {
  const parts = Object.entries(files)
  const schema = {
    type: 'object',
    additionalProperties: false,
    required: [...(fields.required ?? []), ...parts.filter(([, rule]) => !rule.optional).map(([name]) => name)],
    properties: { ...fields.properties, ...Object.fromEntries(parts.map(([name, rule]) => [name, fileSchema(rule)])) },
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
