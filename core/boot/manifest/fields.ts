import {
  Kind,
  type SchemaOptions,
  type TObject,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import type { BodyDefinition } from '../../http/route.ts'
import { bodyFault, schemaFault } from './schema-fault.ts'

/** Makes the schema of a member that may be left out. */
export interface OptionalField {
  readonly optional: TSchema
}

/** Maps each member of `T` to its schema: optional where the member is, and none for anything else. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? OptionalField : TSchema }

/**
 * Makes the object schema of an interface; `tsc` refuses it when a member is missing, too many or optional on one side
 * only.
 */
export function objectOf<T>(fields: FieldsOf<T>, options?: SchemaOptions): TObject {
  const properties = Object.entries<OptionalField | TSchema>(fields).map(([key, field]) => [
    key,
    isOptional(field) ? Type.Optional(field.optional) : field,
  ])
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false, ...options })
}

function isOptional(field: OptionalField | TSchema): field is OptionalField {
  return !(Kind in field)
}

/** `what` completes the sentence "must be …". */
export const expected = (what: string) => ({ expects: what })

/** Options of a record; `what` completes the sentence "keys must be …". */
export const keyed = (what: string) => ({ additionalProperties: false, keys: what })

export const optional = (schema: TSchema): OptionalField => ({ optional: schema })
export const sentence = (what: string) => Type.String({ minLength: 1, ...expected(what) })
export const matching = (pattern: string, what: string) => Type.String({ pattern, ...expected(what) })
export const identifier = (what: string) => matching('^[a-z][A-Za-z0-9_-]*([.:][A-Za-z0-9_-]+)+$', what)
export const flag = () => Type.Boolean(expected('true or false'))
export const method = (what: string) => Type.Function([], Type.Unknown(), expected(`a function ${what}`))
export const anything = (what = 'anything') => Type.Unknown(expected(what))
export const oneWord = (...words: string[]) =>
  Type.Union(
    words.map(word => Type.Literal(word)),
    expected(`one of ${words.join(', ')}`),
  )

/** Makes a schema of lists whose items are called `noun` in messages. */
export const listOf = <S extends TSchema>(noun: string, item: S) =>
  Type.Array(item, { noun, ...expected(`a list of ${noun}s`) })

/** Accepts a TypeBox schema that compiles. */
export const schema = (what = 'a TypeBox schema, e.g. Type.Object({ … })'): TUnsafe<TSchema> =>
  Type.Unsafe<TSchema>({ [Kind]: 'TypeBoxSchema', ...expected(what) })
/** These fields hold schemas: the fault inside one of them says more than that it is none. */
export const SCHEMA_KINDS: ReadonlySet<string> = new Set(['TypeBoxSchema', 'TypeBoxObject', 'RouteBody'])
TypeRegistry.Set('TypeBoxSchema', (_, value) => schemaFault(value) === undefined)

export const objectSchema = (): TUnsafe<TObject> =>
  Type.Unsafe<TObject>({ [Kind]: 'TypeBoxObject', ...expected('a TypeBox object, Type.Object({ … })') })
TypeRegistry.Set(
  'TypeBoxObject',
  (_, value) =>
    typeof value === 'object' && value !== null && Reflect.get(value, Kind) === 'Object' && !schemaFault(value),
)

/** Accepts what a route takes as its body. */
export const routeBody = (): TUnsafe<BodyDefinition> =>
  Type.Unsafe<BodyDefinition>({ [Kind]: 'RouteBody', ...expected('a TypeBox schema, form, formStream or byteStream') })
TypeRegistry.Set('RouteBody', (_, value) => bodyFault(value) === undefined)

/** Accepts the address of a folder that comes with the plugin. */
export const folder = (): TUnsafe<URL> =>
  Type.Unsafe<URL>({ [Kind]: 'Folder', ...expected("a file URL, e.g. new URL('./sql/', import.meta.url)") })
TypeRegistry.Set('Folder', (_, value) => value instanceof URL && value.protocol === 'file:')
