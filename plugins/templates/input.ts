import { Buffer } from 'node:buffer'
import { type BodyCheck, type ErrorDetail, validationError } from 'mneme/plugin'
import { placeholdersOf, unreadable } from './rendering.ts'
import { type CreateBody, TEMPLATE_BYTES_MAX, type UpdateBody } from './schemas.ts'
import type { Template, TemplateContent, TemplateMemory } from './template.ts'

/** Rules on a new template that its schema cannot express. */
export const createChecks: readonly BodyCheck<CreateBody>[] = [
  {
    fields: ['name', 'description', 'variables', 'memories'],
    faults: ({ body }) => sizeFaults(contentOf(body)),
  },
  { fields: ['variables'], faults: ({ body: { variables = [] } }) => repeatedVariables(variables) },
  {
    fields: ['variables', 'memories'],
    faults: ({ body: { variables = [], memories } }) => placeholderFaults(variables, memories.map(readMemory)),
  },
]

/** Rules on a change that its schema cannot express, and that hold whatever the template has. */
export const updateChecks: readonly BodyCheck<UpdateBody>[] = [
  { fields: ['variables'], faults: ({ body: { variables = [] } }) => repeatedVariables(variables) },
  { fields: ['memories'], faults: ({ body: { memories = [] } }) => unreadableFaults(memories.map(readMemory)) },
]

/** @throws VALIDATION_ERROR with every fault that the body's schema alone cannot see */
export function readTemplate(body: CreateBody): TemplateContent {
  const content = contentOf(body)
  const { variables, memories } = content
  const faults = [...sizeFaults(content), ...repeatedVariables(variables), ...placeholderFaults(variables, memories)]
  if (faults.length > 0) throw validationError(faults)
  return content
}

/** The content of a template as a body has it, faults included. */
export function contentOf(body: CreateBody): TemplateContent {
  return {
    name: body.name.trim(),
    description: body.description ?? null,
    variables: (body.variables ?? []).map(({ name, required = true, default: value = null }) => ({
      name,
      required,
      default: value,
    })),
    memories: body.memories.map(readMemory),
  }
}

/** The content that a template has after a change; the result is held to the same rules as a new one. */
export function changedTemplate(template: Template, change: UpdateBody): TemplateContent {
  const { name, description, variables, memories } = template
  return readTemplate({
    name: change.name ?? name,
    description: change.description === undefined ? description : change.description,
    variables: change.variables ?? [...variables],
    memories: change.memories ?? memories.map(memory => ({ ...memory, categories: [...memory.categories] })),
  })
}

function readMemory(memory: CreateBody['memories'][number]): TemplateMemory {
  return {
    memory: memory.memory,
    categories: [...new Set((memory.categories ?? []).map(category => category.trim()))],
    priority: memory.priority ?? 'MEDIUM',
    metadata: memory.metadata ?? null,
    layer: memory.layer ?? 'RAW',
  }
}

function sizeFaults(content: TemplateContent): ErrorDetail[] {
  if (Buffer.byteLength(JSON.stringify(content)) <= TEMPLATE_BYTES_MAX) return []
  return [{ path: 'memories', message: `the whole template must have at most ${TEMPLATE_BYTES_MAX} bytes of JSON` }]
}

function repeatedVariables(variables: readonly Named[]): ErrorDetail[] {
  const names = variables.map(({ name }) => name)
  return names.flatMap((name, n) =>
    names.indexOf(name) < n ? [{ path: `variables.${n}.name`, message: `${name} is named twice` }] : [],
  )
}

interface Named {
  readonly name: string
}

/** A placeholder that no variable fills would be stored as it stands, so it is told when the template is written. */
function placeholderFaults(variables: readonly Named[], memories: readonly TemplateMemory[]): ErrorDetail[] {
  const known = new Set(variables.map(({ name }) => name))
  const unknown = memories.flatMap((memory, n) =>
    placeholdersOf(memory)
      .filter(name => !known.has(name))
      .map(name => ({ path: `memories.${n}`, message: `{{${name}}} is not among the variables` })),
  )
  return [...unreadableFaults(memories), ...unknown]
}

function unreadableFaults(memories: readonly TemplateMemory[]): ErrorDetail[] {
  return memories.flatMap((memory, n) =>
    unreadable(memory).map(written => ({
      path: `memories.${n}`,
      message: `${written} is no placeholder: write {{name}}, with letters, digits and _`,
    })),
  )
}
