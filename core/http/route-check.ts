import { DETAILS_MAX, type ErrorDetail } from '../errors.ts'
import { blame } from '../faults/attribution.ts'
import { isUpload } from './upload.ts'

/** A check looks at this; whatever its `fields` name fits the schemas. */
export interface CheckInput<S, Q, B> {
  readonly query: Q
  readonly body: B
  /** The scope that the plugin's `setup` returned. */
  readonly scope: S
}

/**
 * A rule that schemas cannot express, such as fields that exclude each other. Its faults stand in `details` beside those of the schemas.
 * On a POST it depends on nothing but the request and the plugin's scope: a repetition under an Idempotency-Key has to pass as the first request did,
 * so what depends on the time, or on stored data, is the handler's to refuse.
 */
export interface RouteCheck<S, Q, B> {
  /** Names what the rule reads of query and body. It is left out where a schema finds one of these at fault. */
  readonly fields: readonly (FieldOf<Q> | FieldOf<B>)[]
  faults(input: CheckInput<S, Q, B>): readonly ErrorDetail[]
}

/** A check that reads the body alone, for bodies that several routes share. */
export type BodyCheck<B> = RouteCheck<unknown, unknown, B>

/** The faults of a form name its fields and its files. */
type FieldOf<T> = T extends { readonly fields: infer F; readonly files: infer R }
  ? (keyof F | keyof R) & string
  : keyof T & string

/** A check with its types erased. */
export interface ErasedCheck<S = never> {
  readonly fields: readonly string[]
  faults(input: CheckInput<S, never, never>): readonly ErrorDetail[]
}

/** Returns the faults that checks find in an input of which the schemas have found those of `known`. */
export function checkFaults<S, Q, B>(
  checks: readonly RouteCheck<S, Q, B>[],
  input: CheckInput<S, Q, B>,
  known: readonly ErrorDetail[] = [],
): ErrorDetail[] {
  const faulty = new Set(known.map(({ path }) => path.split('.', 1)[0]))
  // A body that is no object has no fields, and of a list that was cut off not every field at fault is known.
  if (faulty.has('body') || known.length >= DETAILS_MAX) return []
  return checks.filter(({ fields }) => !fields.some(field => faulty.has(field))).flatMap(check => check.faults(input))
}

/** Does the same for a route of a plugin, to which an error that a check throws is traced back. */
export function routeFaults(
  { route, scope, owner }: CheckedRoute,
  { query, body }: { readonly query: unknown; readonly body: unknown },
  known: readonly ErrorDetail[],
): ErrorDetail[] {
  // Files that follow a fault of their form are not kept, so a check could not tell that they are there.
  if (!route.checks || (isUpload(route.body) && known.length > 0)) return []
  try {
    const input = { query: query as never, body: body as never, scope: scope as never }
    return checkFaults<never, never, never>(route.checks as never, input, known)
  } catch (error) {
    if (owner !== 'core') blame(error, owner)
    throw error
  }
}

interface CheckedRoute {
  readonly route: { readonly checks?: readonly ErasedCheck[]; readonly body?: unknown }
  readonly scope: unknown
  readonly owner: string
}
