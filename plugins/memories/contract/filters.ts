import {
  type Contribution,
  type ContributionFault,
  defineExtensionPoint,
  type Fragment,
  fail,
  plainArray,
  requireFeature,
  type Static,
  type Tenant,
  type TObject,
  type TSchema,
  type Tx,
  type Wiring,
} from 'mneme/plugin'
import { listQuery } from '../schemas.ts'
import { withTimeLimit } from './time-limit.ts'

/**
 * Builds a select statement with one column, the memory ids, which may repeat. It becomes part of other statements on the request path, so
 * it names `workspace_id`, is built anew at each call, and reads only tables of its own plugin.
 */
export type MemorySelect = (tx: Tx, workspaceId: string) => Fragment

/** The memories that pass a filter: a `select` of their ids without a limit, or a list of at most {@link FILTER_IDS_MAX} ids. */
export type PassingMemories = { readonly select: MemorySelect } | { readonly ids: readonly string[] }

/** A filter may list this many ids; one that passes more memories returns a `select`. */
export const FILTER_IDS_MAX = 10_000

/** Parameters that a plugin adds to lists and to every search route; {@link memoryFilter} types what `passing` gets. */
export interface MemoryFilterSource<P extends TObject = TObject> {
  readonly id: string
  /** The TypeBox properties are all optional, have no defaults, and each has a description. */
  readonly parameters: P
  /**
   * Resolves the filter to the memories that pass; undefined lets everything pass. It is called once per request that gives one of the
   * parameters, outside any transaction, and must finish within {@link FILTER_MS}.
   */
  passing(
    tenant: Tenant,
    parameters: Readonly<Static<P>>,
    signal: AbortSignal,
  ): Promise<PassingMemories | undefined> | PassingMemories | undefined
}

/** Types a filter by its parameters; returns it unchanged. */
export function memoryFilter<P extends TObject>(source: MemoryFilterSource<P>): MemoryFilterSource<P> {
  return source
}

const FILTER_MS = 5000

export const memoryFilters = defineExtensionPoint<MemoryFilterSource>('memories.filters', {
  members: { id: 'string', parameters: 'schema', passing: 'function' },
  check: checkParameters,
})

/** Lists and searches define these parameters themselves. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.keys(listQuery.properties),
  'query',
  'filter',
  'limit',
  'memory_id',
  'workspace_id',
])

/** A parameter that redefines an existing one, or is required, would break lists and searches for every caller. */
function checkParameters(contributions: readonly Contribution<MemoryFilterSource>[]): ContributionFault[] {
  const owners = new Map<string, string>()
  return contributions.flatMap(({ plugin, value: { id, parameters } }) => {
    const properties: Record<string, TSchema> | undefined = parameters.properties
    if (!properties) return [{ plugin, fault: `the parameters of its filter ${id} must be a Type.Object` }]
    return Object.entries(properties).flatMap(([name, schema]) => {
      const named = `the parameter ${name} of its filter ${id}`
      const other = OWN.has(name) ? 'the memories plugin' : owners.get(name)
      owners.set(name, other ?? plugin)
      const faults = [
        ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`${named} must be of lower-case letters, digits and _`]),
        ...(other === undefined ? [] : [`${named} is one of ${other} already; rename it`]),
        ...(parameters.required?.includes(name) ? [`${named} must be optional: wrap it in Type.Optional`] : []),
        ...(schema.default === undefined ? [] : [`${named} must have no default, which would filter every request`]),
      ]
      return faults.map(fault => ({ plugin, fault }))
    })
  })
}

/** A filter of another plugin, resolved for one request. */
export interface AddedFilter {
  /** The names of its parameters that the request gave. */
  readonly names: readonly string[]
  readonly passing: PassingMemories
}

/** Collects the parameters that other plugins add to lists and searches, as TypeBox properties. */
export function addedParameters(wiring: Wiring): TObject['properties'] {
  return Object.assign({}, ...wiring.extensions(memoryFilters).map(({ parameters }) => parameters.properties))
}

/**
 * Resolves the filters of other plugins that a request uses; all of them must hold. Undefined if it uses none.
 * @throws FEATURE_NOT_ENABLED where the workspace's plan lacks the feature of a filter's plugin
 */
export async function resolveAddedFilters(
  wiring: Wiring,
  tenant: Tenant,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly AddedFilter[] | undefined> {
  const used = namesByFilter(wiring.contributions(memoryFilters), parameters)
  if (used.size === 0) return undefined
  const filters: AddedFilter[] = []
  for (const [contribution, names] of used) {
    requireFeature(tenant.workspace, contribution.feature)
    const passing = await passingOf(contribution, tenant, parameters)
    if (passing) filters.push({ names, passing })
  }
  return filters.length > 0 ? filters : undefined
}

type Filter = Contribution<MemoryFilterSource>

/** Filters by the names of their parameters, of each list of contributions. */
const indexes = new WeakMap<readonly Filter[], ReadonlyMap<string, Filter>>()

/** Looks up what a request gives, so that filters which it does not use cost it nothing however many there are. */
function namesByFilter(all: readonly Filter[], parameters: Readonly<Record<string, unknown>>): Map<Filter, string[]> {
  const index = indexes.get(all) ?? indexed(all)
  const used = new Map<Filter, string[]>()
  for (const name of Object.keys(parameters)) {
    const filter = index.get(name)
    if (filter && parameters[name] !== undefined) used.set(filter, [...(used.get(filter) ?? []), name])
  }
  return used
}

function indexed(all: readonly Filter[]): ReadonlyMap<string, Filter> {
  const index = new Map(
    all.flatMap(filter => Object.keys(filter.value.parameters.properties).map(name => [name, filter] as const)),
  )
  indexes.set(all, index)
  return index
}

async function passingOf(
  { plugin, value }: Contribution<MemoryFilterSource>,
  tenant: Tenant,
  parameters: Readonly<Record<string, unknown>>,
): Promise<PassingMemories | undefined> {
  try {
    const passing = await withTimeLimit(FILTER_MS, signal => value.passing(tenant, parameters, signal))
    const fault = faultOf(passing)
    if (fault !== undefined) throw new Error(`plugin ${plugin}: its filter ${value.id} ${fault}`)
    return passing
  } catch (cause) {
    throw fail('SERVICE_UNAVAILABLE', {
      message: `The filter ${value.id} of the plugin ${plugin} is not available at the moment.`,
      retryAfterSeconds: 2,
      cause,
    })
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Says what no statement could be built of, in the words that follow the filter's name. */
function faultOf(passing: unknown): string | undefined {
  if (passing === undefined) return undefined
  const [select, ids]: unknown[] =
    typeof passing === 'object' && passing !== null ? [Reflect.get(passing, 'select'), Reflect.get(passing, 'ids')] : []
  if (typeof select === 'function') return undefined
  if (!Array.isArray(ids)) return 'gave neither `select` nor a list of `ids`'
  if (ids.length > FILTER_IDS_MAX) return `lists more than ${FILTER_IDS_MAX} ids; give \`select\` instead`
  return ids.every(id => typeof id === 'string' && UUID.test(id)) ? undefined : 'lists ids that are no UUIDs'
}

/** Builds conditions on a statement's id column, each starting with `and`; empty without filters. */
export function addedConditions(
  tx: Tx,
  id: Fragment,
  workspaceId: string,
  filters: readonly AddedFilter[] | undefined,
): Fragment {
  return (filters ?? []).reduce(
    (conditions, { passing }) =>
      'ids' in passing
        ? tx`${conditions} and ${id} = any(${plainArray(passing.ids)}::uuid[])`
        : tx`${conditions} and ${id} in (${passing.select(tx, workspaceId)})`,
    tx``,
  )
}
