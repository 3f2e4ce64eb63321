import type { TSchema } from '@sinclair/typebox'
import type { Caller, Workspace } from '../auth/caller.ts'
import { hasFeature } from '../auth/features.ts'
import { definePort } from '../ports.ts'
import type { MountedRoute } from './mount.ts'
import { givesJson } from './relay.ts'
import { type Method, mayCall } from './route.ts'

/** A field of a route's input. */
export interface RouteField {
  readonly name: string
  readonly place: 'path' | 'query' | 'body' | 'form'
  readonly schema: TSchema
  /** False for a field with a default, which may be left out. */
  readonly isRequired: boolean
}

/** A route as others may call it, with what other plugins add to its input. */
export interface RouteDescription {
  readonly fields: readonly RouteField[]
  /** Says how the request's workspace is found. */
  readonly workspace: 'select' | 'none' | { readonly param: string }
  /** Tells whether the route would serve this caller on this workspace: its permission, its plugin's feature, and that it is switched on. */
  serves(caller: Caller, workspace: Pick<Workspace, 'features'>): boolean
}

/** Describes the routes of this server. */
export interface RouteCatalogue {
  /** Finds a route by its path as it is declared, e.g. `/v1/things/:id`; undefined where there is none that gives JSON. */
  find(method: Method, path: string): RouteDescription | undefined
}

/** The kernel binds this port once every plugin is set up. */
export const routeCatalogue = definePort<RouteCatalogue>('core.routes')

export function createRouteCatalogue(routes: readonly MountedRoute[]): RouteCatalogue {
  return {
    find(method, path) {
      const mounted = routes.find(({ route }) => route.method === method && route.path === path)
      return mounted && givesJson(mounted.route) ? describe(mounted) : undefined
    },
  }
}

function describe(mounted: MountedRoute): RouteDescription {
  const { route, enabled, feature } = mounted
  return {
    fields: fieldsOf(mounted),
    workspace: route.access === 'public' ? 'none' : (route.workspace ?? 'select'),
    serves: (caller, workspace) => enabled && hasFeature(workspace, feature) && mayCall(route, caller),
  }
}

/** Where the same name stands in several places, the first one given here is meant. */
function fieldsOf({ route, query, upload }: MountedRoute): RouteField[] {
  const body = upload ? undefined : route.body
  return [
    ...propertiesOf('path', route.params),
    ...propertiesOf('body', body as TSchema | undefined),
    ...propertiesOf('form', upload?.fields.schema),
    ...propertiesOf('query', query.schema),
  ]
}

function propertiesOf(place: RouteField['place'], schema: TSchema | undefined): RouteField[] {
  const properties: Readonly<Record<string, TSchema>> = schema?.properties ?? {}
  const required: readonly string[] = schema?.required ?? []
  return Object.entries(properties).map(([name, field]) => ({
    name,
    place,
    schema: field,
    isRequired: required.includes(name) && field.default === undefined,
  }))
}
