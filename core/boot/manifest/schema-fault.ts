import { FormatRegistry, Kind, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { isUpload } from '../../http/upload.ts'

/** Schemas are shared between routes and compiled once each. */
const known = new WeakMap<object, string | undefined>()

/** Says why a value cannot be used as a TypeBox schema; undefined when it can. */
export function schemaFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'is not a TypeBox schema'
  if (!known.has(value)) known.set(value, partFault(value) ?? wholeFault(value))
  return known.get(value)
}

/** Says why a value cannot be a route's body: neither a schema nor an upload. */
export function bodyFault(value: unknown): string | undefined {
  if (!isUpload(value)) return schemaFault(value)
  if (!(Number(value.maxBytes) > 0)) return 'needs `maxBytes` above 0'
  const fault = schemaFault(value.fields)
  if (fault) return `has \`fields\` that ${fault}`
  const files = Object.entries(value.files ?? {})
  if (files.length === 0) return 'takes no file: declare its `files`, or send a JSON body'
  const [unsound] = files.find(([, { maxBytes, description }]) => !(maxBytes > 0) || !description) ?? []
  if (unsound) return `has the file ${unsound}, which needs a description and \`maxBytes\` above 0`
  const [twice] = files.find(([name]) => name in value.fields.properties) ?? []
  return twice && `has both a field and a file ${twice}`
}

function wholeFault(value: object): string | undefined {
  if (!TypeGuard.IsSchema(value)) return 'is not a TypeBox schema: build it with Type, plain JSON Schema is not enough'
  try {
    TypeCompiler.Code(value)
    return undefined
  } catch (error) {
    const unknown = error instanceof Error ? Reflect.get(error, 'schema') : undefined
    const kind = typeof unknown === 'object' && unknown !== null ? String(Reflect.get(unknown, Kind)) : 'it'
    return `does not compile: ${kind} is no type that is known here`
  }
}

/** Finds schemas that compile and then refuse every value, or throw with the first one. It says more than that the whole is none. */
function partFault(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > 64) return undefined
  if (Reflect.get(value, Kind) === 'String') {
    const { format, pattern }: { format?: unknown; pattern?: unknown } = value
    if (format !== undefined && !FormatRegistry.Has(String(format)))
      return `names the format ${String(format)}, which is not known here: use a pattern`
    try {
      new RegExp(String(pattern ?? ''))
    } catch {
      return 'has a pattern that is no regular expression'
    }
  }
  for (const part of Object.values(value)) {
    const fault = partFault(part, depth + 1)
    if (fault) return fault
  }
  return undefined
}
