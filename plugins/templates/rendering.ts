import { compileValidator, type ErrorDetail, validationError } from 'mneme/plugin'
import { templateMemory } from './schemas.ts'
import type { Template, TemplateContent, TemplateMemory, Variable } from './template.ts'

/** `{{name}}`, with spaces around the name or without. */
const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g
/** Whatever stands between two pairs of braces on one line. */
const BRACED = /\{\{[^{}\n]{0,200}\}\}/g

/** A placeholder of five letters may stand for thousands, so what all of them grow to is bounded before it is made. */
const GROWN_MAX = 1_000_000

const validator = compileValidator(templateMemory)

/** The names of variables that a memory uses, each once. */
export function placeholdersOf(memory: TemplateMemory): string[] {
  return [...new Set(textsOf(memory).flatMap(text => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)))]
}

/** Lists texts written like a placeholder that are none, e.g. `{{user-name}}`. */
export function unreadable(memory: TemplateMemory): string[] {
  return textsOf(memory)
    .flatMap(text => text.match(BRACED) ?? [])
    .filter(written => written.replace(PLACEHOLDER, '') !== '')
}

/**
 * The memories of a template with the values in their places. Values are put in once, so braces in a value stay as they are.
 * @throws VALIDATION_ERROR for variables that are missing or unknown, and for memories that become too long or blank
 */
export function render(template: Template, given: Readonly<Record<string, string>> = {}): TemplateMemory[] {
  const values = valuesOf(template, given)
  let grown = 0
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (written, name) => {
      const value = values.get(name) ?? written
      grown += value.length
      if (grown > GROWN_MAX) throw tooLarge()
      return value
    })
  const memories = template.memories.map(memory => filled(memory, fill))
  const faults = memories.flatMap(renderedFaults)
  if (faults.length > 0) throw validationError(faults)
  return memories
}

function valuesOf({ variables }: TemplateContent, given: Readonly<Record<string, string>>): Map<string, string> {
  const known = new Set(variables.map(({ name }) => name))
  const faults: ErrorDetail[] = [
    ...Object.keys(given)
      .filter(name => !known.has(name))
      .map(name => ({ path: `variables.${name}`, message: 'is not a variable of this template' })),
    ...variables
      .filter(variable => variable.required && valueFor(variable, given) === undefined)
      .map(({ name }) => ({ path: `variables.${name}`, message: 'is required' })),
  ]
  if (faults.length > 0) throw validationError(faults)
  return new Map(variables.map(variable => [variable.name, valueFor(variable, given) ?? '']))
}

function valueFor({ name, default: fallback }: Variable, given: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(given, name) ? given[name] : (fallback ?? undefined)
}

function tooLarge() {
  const message = `must put no more than ${GROWN_MAX} characters into the template`
  return validationError([{ path: 'variables', message }])
}

function filled(memory: TemplateMemory, fill: (text: string) => string): TemplateMemory {
  return {
    ...memory,
    memory: fill(memory.memory),
    categories: [...new Set(memory.categories.map(category => fill(category).trim()).filter(Boolean))],
    metadata: memory.metadata && Object.fromEntries(entriesFilled(memory.metadata, fill)),
  }
}

function entriesFilled(value: object, fill: (text: string) => string): [string, unknown][] {
  return Object.entries(value).map(([key, item]) => [key, valueFilled(item, fill)])
}

/** Metadata is nested at most as deep as memories allow, so the recursion is bounded. */
function valueFilled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value)
  if (Array.isArray(value)) return value.map(item => valueFilled(item, fill))
  if (typeof value === 'object' && value !== null) return Object.fromEntries(entriesFilled(value, fill))
  return value
}

function textsOf({ memory, categories, metadata }: TemplateMemory): string[] {
  return [memory, ...categories, ...stringsIn(metadata)]
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** A memory with its values is held to the rules of one that is sent. */
function renderedFaults(memory: TemplateMemory, n: number): ErrorDetail[] {
  return validator
    .faults(memory)
    .map(({ path, message }) => ({ path: `memories.${n}.${path}`, message: `${message} with these values` }))
}
