import { type Description, type Field, itemOfPage, type Model, type Operation, pascal, type Shape } from './describe.ts'
import { type Group, groupVerbs, type Verb, waitedFor } from './verbs.ts'

const HEAD = "// Generated from the service's OpenAPI document by clients/generate.ts: a change by hand is lost.\n"

/** Prints the types of the API, its routes and its verbs as one module of TypeScript. */
export function printTypeScript(description: Description): string {
  const groups = groupVerbs(description)
  const outputs = new Set(description.models.map(({ name }) => name))
  // An object that stands in inputs and in responses has one type, unless they differ: the one of responses lacks what only inputs take.
  const models = [...description.models, ...description.inputModels.filter(({ name }) => !outputs.has(name))]
  return [
    HEAD,
    `import { MnemeError } from '../errors.ts'`,
    `import type { Pages } from '../pages.ts'`,
    `import type { RequestOptions } from '../requests.ts'\n`,
    ...models.map(printModel),
    ...description.operations.filter(({ input }) => input.length > 0).map(printInput),
    printOperations(description.operations),
    printRoutes(description.operations),
    ...groups.map(group => printGroup(group, description)),
    printVerbs(groups),
    printWaitedFor(description),
    ...printErrors(description.errorCodes),
  ].join('\n')
}

function printModel({ name, description, fields }: Model): string {
  return `${comment(description)}export interface ${name} {\n${printFields(fields)}\n}\n`
}

function printInput(operation: Operation): string {
  return `export interface ${inputOf(operation)} {\n${printFields(operation.input)}\n}\n`
}

function printFields(fields: readonly Field[]): string {
  return fields
    .map(({ name, shape, isRequired, description }) => {
      const optional = isRequired ? '' : '?'
      return `${comment(description, '  ')}  ${name}${optional}: ${printShape(shape)}${isRequired ? '' : ' | undefined'}`
    })
    .join('\n')
}

function printShape(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return shape.kind
    case 'anything':
      return 'unknown'
    case 'file':
      return 'Blob'
    case 'words':
      return shape.words.map(word => `'${word}'`).join(' | ')
    case 'list': {
      const item = printShape(shape.of)
      return item.includes('|') ? `(${item})[]` : `${item}[]`
    }
    case 'map':
      return `Record<string, ${printShape(shape.of)}>`
    case 'model':
      return shape.name
    case 'either':
      return shape.options.map(printShape).join(' | ')
  }
}

function printOutput(output: Operation['output']): string {
  if (output === undefined) return 'void'
  return output === 'bytes' ? 'Response' : printShape(output)
}

function printOperations(operations: readonly Operation[]): string {
  const lines = operations.map(operation => {
    const input = operation.input.length > 0 ? inputOf(operation) : 'Record<never, never>'
    return `${comment(operation.doc, '  ')}  ${operation.name}: { input: ${input}; output: ${printOutput(operation.output)} }`
  })
  return `/** Every operation of the service, with what it takes and gives. */\nexport interface Operations {\n${lines.join('\n')}\n}\n`
}

function printRoutes(operations: readonly Operation[]): string {
  const lines = operations.map(({ name, route }) => `  ${name}: '${route}',`)
  return `export const ROUTES: Readonly<Record<keyof Operations, string>> = {\n${lines.join('\n')}\n}\n`
}

function printGroup({ type, verbs }: Group, { models }: Description): string {
  return `export interface ${type} {\n${verbs.map(verb => printVerb(verb, models)).join('\n')}\n}\n`
}

function printVerb(verb: Verb, models: readonly Model[]): string {
  const { operation, first, rest, fixed } = verb
  const named = [...first.map(({ name }) => name), ...Object.keys(fixed)]
  const input =
    named.length > 0 ? `Omit<${inputOf(operation)}, ${named.map(name => `'${name}'`).join(' | ')}>` : inputOf(operation)
  const parameters = [
    ...first.map(({ name, shape }) => `${name === 'delete' ? 'name' : name}: ${printShape(shape)}`),
    ...(rest.length > 0 ? [`input${rest.some(({ isRequired }) => isRequired) ? '' : '?'}: ${input}`] : []),
    ...(rest.length > 0 ? [] : ['input?: Record<never, never>']),
    'options?: RequestOptions',
  ]
  const output = printOutput(verb.output)
  const returned = itemOfPage(verb.output, models) ? `Pages<${output}>` : `Promise<${output}>`
  return `${comment(operation.doc, '  ')}  ${verb.name}(${parameters.join(', ')}): ${returned}`
}

function printVerbs(groups: readonly Group[]): string {
  const types = groups.map(({ name, type }) => `  readonly ${name}: ${type}`)
  const tables = groups.map(({ name, verbs }) => {
    const lines = verbs.map(({ name: verb, operation, first, fixed, output }) => {
      const set = Object.entries(fixed).map(([field, value]) => `${field}=${value}`)
      const isPaged = typeof output === 'object' && output.kind === 'model' && output.name.endsWith('Page')
      return `    ${verb}: '${[operation.name + (isPaged ? '*' : ''), ...first.map(field => field.name), ...set].join(' ')}',`
    })
    return `  ${name}: {\n${lines.join('\n')}\n  },`
  })
  return [
    `/** All verbs, by what they are about. */\nexport interface Verbs {\n${types.join('\n')}\n}\n`,
    '/** Each verb with its operation (with a star where it gives pages), the fields that are given in order, and those that it sets. */',
    `export const VERBS: Readonly<Record<keyof Verbs, Readonly<Record<string, string>>>> = {\n${tables.join('\n')}\n}\n`,
  ].join('\n')
}

function printWaitedFor(description: Description): string {
  const known = waitedFor(description)
  const union = [...new Set(known.map(({ model }) => model))].join(' | ')
  const lines = known.map(({ operation, field }) => `  ${operation}: '${field}',`)
  return [
    `/** Work that goes on in the background after its response. */\nexport type Waitable = ${union}\n`,
    '/** The operations that give the state of such work, each with a field that only its object has. */',
    `export const WAITED_FOR = {\n${lines.join('\n')}\n} as const\n`,
  ].join('\n')
}

function printErrors(codes: readonly string[]): string[] {
  const classes = codes.map(code => ({ code, name: `${pascal(code.toLowerCase()).replace(/Error$/, '')}Error` }))
  return [
    ...classes.map(({ code, name }) => `/** \`${code}\` */\nexport class ${name} extends MnemeError {}`),
    `\nexport const ERRORS: Readonly<Record<string, typeof MnemeError>> = {`,
    ...classes.map(({ code, name }) => `  ${code}: ${name},`),
    '}\n',
  ]
}

function inputOf({ name }: Operation): string {
  return `${pascal(name)}Input`
}

function comment(text: string, indent = ''): string {
  const lines = text.trim().replaceAll('*/', '* /').split('\n')
  if (lines[0] === '') return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
