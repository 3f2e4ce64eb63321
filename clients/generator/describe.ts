/** A part of a JSON Schema, of which only what the service's document uses is known. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

/** The service's OpenAPI document. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

export type Shape =
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'null' | 'anything' | 'file' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'list' | 'map'; readonly of: Shape }
  | { readonly kind: 'model'; readonly name: string }
  | { readonly kind: 'either'; readonly options: readonly Shape[] }

export interface Field {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
  readonly description: string
}

/** An object with named fields. */
export interface Model {
  readonly name: string
  readonly description: string
  readonly fields: readonly Field[]
}

export interface Operation {
  readonly name: string
  readonly doc: string
  /** The method, the path and where the fields of the input go: `POST /v1/things{?kind}`. */
  readonly route: string
  /** Everything that the operation takes, wherever it is sent. */
  readonly input: readonly Field[]
  /** Undefined where there is no body, and `bytes` for a download. */
  readonly output: Shape | 'bytes' | undefined
}

export interface Description {
  /** The objects inside of responses. */
  readonly models: readonly Model[]
  /** The objects inside of inputs. */
  readonly inputModels: readonly Model[]
  readonly operations: readonly Operation[]
  readonly errorCodes: readonly string[]
}

/** Reads the document into what both clients are printed from. */
export function describeApi(document: OpenApi): Description {
  const { schemas } = document.components
  const outputs = new Models(schemas)
  const inputs = new Models(schemas)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOperation(document, `${method.toUpperCase()} ${path}`, operation, { inputs, outputs }),
    ),
  )
  return {
    models: outputs.all(),
    inputModels: inputs.all(),
    operations,
    errorCodes: [...(schemas.ApiError?.properties?.error_code?.enum ?? [])].toSorted(),
  }
}

/** Collects the objects of schemas under their names: their own, or those of the place where they stand. */
class Models {
  readonly #models = new Map<string, Model>()
  readonly #schemas: OpenApi['components']['schemas']

  constructor(schemas: OpenApi['components']['schemas']) {
    this.#schemas = schemas
  }

  all(): Model[] {
    return [...this.#models.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  shape(schema: Schema, place: string): Shape {
    if (schema.$ref !== undefined) return this.#named(schema.$ref.replace(/^.*\//, ''))
    if (schema.anyOf) return eitherOf(schema.anyOf.map(option => this.shape(option, place)))
    const words = schema.const === undefined ? schema.enum : [schema.const]
    if (words) return { kind: 'words', words }
    switch (schema.type) {
      case 'string':
        return { kind: schema.format === 'binary' ? 'file' : 'text' }
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: schema.type }
      case 'array':
        return { kind: 'list', of: this.shape(schema.items ?? {}, singular(place)) }
      case 'object':
        return this.#object(schema, place)
      default:
        return { kind: 'anything' }
    }
  }

  fields({ properties = {}, required = [] }: Schema, place: string): Field[] {
    return Object.entries(properties).map(([name, property]) => ({
      name,
      shape: this.shape(property, place + pascal(name)),
      isRequired: required.includes(name),
      description: property.description ?? '',
    }))
  }

  #named(name: string): Shape {
    const schema = this.#schemas[name]
    if (!schema) throw new Error(`the document has no schema ${name}`)
    return this.#object(schema, name)
  }

  #object(schema: Schema, name: string): Shape {
    if (Object.keys(schema.properties ?? {}).length === 0) {
      const of = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
      return { kind: 'map', of: this.shape(of, name) }
    }
    if (!this.#models.has(name)) {
      this.#models.set(name, { name, description: schema.description ?? '', fields: this.fields(schema, name) })
    }
    return { kind: 'model', name }
  }
}

function describeOperation(
  document: OpenApi,
  route: string,
  operation: DocumentedOperation,
  models: { readonly inputs: Models; readonly outputs: Models },
): Operation {
  const place = pascal(operation.operationId)
  const parameters = (operation.parameters ?? [])
    .map(parameter => resolved(document, parameter))
    .filter(({ name }) => name !== 'Idempotency-Key')
  const names = (where: string) => parameters.filter(parameter => parameter.in === where).map(({ name }) => name)
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const given = parameters.map(({ name, required, description = '', schema, in: where }) => ({
    name: where === 'header' ? headerField(name) : name,
    shape: models.inputs.shape(schema, place + pascal(name)),
    isRequired: required,
    description,
  }))
  const isTaken = (name: string) => given.some(field => field.name === name)
  const bodyFields = models.inputs.fields(body?.schema ?? {}, place).filter(({ name }) => !isTaken(name))
  const output = outputOf(operation, models.outputs)
  const marks = [type === 'multipart/form-data' ? ' form' : '', output === 'bytes' ? ' bytes' : '']
  const query = names('query')
  return {
    name: operation.operationId,
    doc: `${operation.summary}.\n\n${operation.description}`,
    route: [
      route,
      query.length > 0 ? `{?${query.join()}}` : '',
      ...names('header').map(name => `{!${name}}`),
      ...marks,
    ].join(''),
    input: [...given, ...bodyFields].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired)),
    output,
  }
}

function resolved({ components }: OpenApi, parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter
  const shared = components.parameters[parameter.$ref.replace(/^.*\//, '')]
  if (!shared) throw new Error(`the document has no parameter ${parameter.$ref}`)
  return shared
}

function outputOf({ operationId, responses }: DocumentedOperation, outputs: Models): Operation['output'] {
  const contents = Object.entries(responses)
    .filter(([status, { content }]) => Number(status) < 300 && content)
    .flatMap(([, { content = {} }]) => Object.entries(content))
  const [first] = contents
  if (!first) return undefined
  const [type, { schema = {} }] = first
  if (schema.format === 'binary') return 'bytes'
  if (type !== 'application/json') return { kind: 'text' }
  // An operation may have several successes, as one that is rehearsed.
  return eitherOf(contents.map(([, { schema: of = {} }]) => outputs.shape(of, `${pascal(operationId)}Result`)))
}

/** `X-Confirm-Password` is the field `confirm_password` of an input. */
function headerField(name: string): string {
  return name.replace(/^X-/, '').replaceAll('-', '_').toLowerCase()
}

function eitherOf(options: readonly Shape[]): Shape {
  const different = new Map(options.map(option => [JSON.stringify(option), option]))
  const [only] = different.values()
  return different.size === 1 && only ? only : { kind: 'either', options: [...different.values()] }
}

/** The items of a page, where the shape is one. */
export function itemOfPage(shape: Operation['output'], models: readonly Model[]): Shape | undefined {
  if (typeof shape !== 'object' || shape.kind !== 'model') return undefined
  const fields = models.find(({ name }) => name === shape.name)?.fields ?? []
  const data = fields.find(({ name }) => name === 'data')?.shape
  const isPage = ['total', 'page', 'page_size'].every(wanted => fields.some(({ name }) => name === wanted))
  return isPage && data?.kind === 'list' ? data.of : undefined
}

export function pascal(name: string): string {
  return name.replace(/(^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, _gap, letter: string) => letter.toUpperCase())
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}
