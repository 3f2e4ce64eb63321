import { Kind, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Wiring } from '../ports.ts'
import { type Download, isDownload } from './download.ts'
import type { MountedForm } from './form.ts'
import type { Route, RouteResponse } from './route.ts'
import { type ShareClass, shareOf } from './shares.ts'
import { type HeldFields, heldFields } from './subject.ts'
import { isUpload, type UploadDefinition } from './upload.ts'
import { compileValidator, queryReader, type TypedTexts, uuid, type Validator } from './validation.ts'

/** A route ready to serve: schemas compiled, its plugin's scope and feature at hand. */
export interface MountedRoute {
  /** Includes what other plugins add to it. */
  readonly route: Route
  readonly owner: string
  readonly feature: string | undefined
  /** False for a built-in plugin that is switched off: the gate still responds, with FEATURE_NOT_ENABLED. */
  readonly enabled: boolean
  readonly scope: unknown
  readonly share: ShareClass
  /** Statuses that its handler gave and `responses` do not list, each of which is logged once. */
  readonly undocumented: Set<number>
  /** Sent with every response, failures included. */
  readonly headers?: Readonly<Record<string, string>>
  readonly params: Validator<unknown> | undefined
  readonly query: {
    readonly schema: TObject
    readonly validator: Validator<unknown>
    read(parameters: URLSearchParams): TypedTexts
  }
  /** Validates a JSON body. */
  readonly body: Validator<unknown> | undefined
  readonly upload: MountedForm | undefined
  /** The fields by which a bound caller is held to its user. */
  readonly held: HeldFields | undefined
}

const SELECT_WORKSPACE = {
  workspace_id: Type.Optional(uuid({ description: "Works on this workspace instead of the key's own." })),
}

/** Compiles a route's schemas, once every plugin is set up. */
export function mountRoute(
  declared: Route,
  owner: { id: string; feature?: string | undefined; enabled: boolean; scope: unknown },
  wiring: Wiring,
): MountedRoute {
  const route = withAdditions(declared, wiring)
  const selects = (route.workspace ?? 'select') === 'select' && route.access !== 'public'
  const given = route.query ?? Type.Object({})
  const query = selects && !('workspace_id' in given.properties) ? withProperties(given, SELECT_WORKSPACE) : given
  const json = isUpload(route.body) ? undefined : route.body
  // A relay takes messages of another protocol, whose fields are not ours.
  const body = json && selects && !route.relays ? selecting(json) : json
  return {
    route,
    owner: owner.id,
    feature: owner.feature,
    enabled: owner.enabled,
    scope: owner.scope,
    undocumented: new Set(),
    share: shareOf(route, isUpload(route.body)),
    params: route.params && compileValidator(route.params),
    query: { schema: query, validator: compileValidator(query), read: queryReader(query) },
    body: body && compileValidator(body),
    upload: isUpload(route.body) ? mountUpload(route.body, selects) : undefined,
    held: heldFields(route),
  }
}

function mountUpload(definition: UploadDefinition, selects: boolean): MountedForm {
  const { fields } = definition
  const schema = selects && !('workspace_id' in fields.properties) ? withProperties(fields, SELECT_WORKSPACE) : fields
  return { definition, fields: { schema, validator: compileValidator(schema) } }
}

/** Joins a route with what other plugins add; its own fields win over added ones of their name. */
function withAdditions(route: Route, wiring: Wiring): Route {
  if (!route.additions) return route
  const { query = {}, body = {}, responses = {}, errors = [] } = route.additions(wiring)
  const own = route.query ?? Type.Object({})
  return {
    ...route,
    query: withProperties(own, { ...query, ...own.properties }),
    ...(route.body && !isUpload(route.body) && isObject(route.body)
      ? { body: withProperties(route.body, { ...body, ...route.body.properties }) }
      : {}),
    responses: { ...route.responses, ...responses },
    errors: [...new Set([...(route.errors ?? []), ...errors])],
  }
}

/** Checks the text that is sent against the schema that the reference shows. */
export function verifyResponse(route: Route, result: RouteResponse | Download): void {
  const { method, path, responses } = route
  if (isDownload(result)) {
    if (!route.download) throw new Error(`${method} ${path} answered with a download, which it does not document`)
    return
  }
  const { status, body } = result
  const schema = responses[status]
  if (schema === undefined) throw new Error(`${method} ${path} answered ${status}, which it does not document`)
  if (schema === null) {
    if (body !== undefined)
      throw new Error(`${method} ${path} answered ${status} with a body, which it does not document`)
    return
  }
  const faults = compileValidator(schema).faults(JSON.parse(JSON.stringify(body)))
  if (faults.length > 0)
    throw new Error(`${method} ${path} answered ${status} against its schema: ${JSON.stringify(faults)}`)
}

/** Lets a body select the workspace: an object, or each of those that a union has. */
function selecting(schema: TSchema): TSchema {
  if (isObject(schema)) return withProperties(schema, SELECT_WORKSPACE)
  return schema[Kind] === 'Union' ? { ...schema, anyOf: schema.anyOf.map(selecting) } : schema
}

function withProperties(schema: TObject, extra: Record<string, TSchema>): TObject {
  return { ...schema, properties: { ...schema.properties, ...extra } }
}

function isObject(schema: TSchema): schema is TObject {
  return schema.type === 'object' && typeof schema.properties === 'object'
}
