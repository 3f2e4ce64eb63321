import {
  type Contribution,
  type ContributionFault,
  defineExtensionPoint,
  type Fragment,
  fail,
  plainArray,
  requireFeature,
  type Tenant,
  type TObject,
  type TSchema,
  type Tx,
  type Wiring,
} from 'mneme/plugin'
import { listQuery } from '../schemas.ts'
import { withTimeLimit } from './time-limit.ts'

/**
 * The memories that a filter lets pass: as a `select` of their ids, for any number of them, or as a list of at most
 * {@link FILTER_IDS_MAX}.
 */
export type PassingMemories =
  | {
      /**
       * Builds a select statement of one column, the ids; they may repeat. It becomes part of other statements on the request path, so it
       * names `workspace_id`, is built anew at each call, and reads tables of its plugin only.
       */
      readonly select: (tx: Tx, workspaceId: string) => Fragment
    }
  | { readonly ids: readonly string[] }

/** Ids that a filter may list; a filter of more memories is a `select`. */
export const FILTER_IDS_MAX = 10_000

/** Parameters that a plugin adds to lists and to every way to search. */
export interface MemoryFilterSource {
  readonly id: string
  /** TypeBox properties, all optional and without defaults, each with a description. */
  readonly parameters: TObject
  /**
   * What passes; undefined for everything. Called once a request, outside of any transaction, when one of the parameters is given; within
   * {@link FILTER_MS}.
   */
  passing(
    tenant: Tenant,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<PassingMemories | undefined> | PassingMemories | undefined
}

export const FILTER_MS = 5000

export const memoryFilters = defineExtensionPoint<MemoryFilterSource>('memories.filters', {
  members: { id: 'string', parameters: 'object', passing: 'function' },
  check: checkParameters,
})

/** Parameters that lists and searches have themselves. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.keys(listQuery.properties),
  'query',
  'filter',
  'limit',
  'memory_id',
  'workspace_id',
])

/** A parameter that meets another, or that every request would have to give, would break lists and searches for everybody. */
function checkParameters(contributions: readonly Contribution<MemoryFilterSource>[]): ContributionFault[] {
  const owners = new Map<string, string>()
  return contributions.flatMap(({ plugin, value: { id, parameters } }) =>
    Object.entries<TSchema>(parameters.properties ?? {}).flatMap(([name, schema]) => {
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
    }),
  )
}

/** A filter of another plugin as a request uses it. */
export interface AddedFilter {
  /** The parameters that were given. */
  readonly names: readonly string[]
  readonly passing: PassingMemories
}

/** The parameters that other plugins add to lists and searches, as TypeBox properties. */
export function addedParameters(wiring: Wiring): TObject['properties'] {
  return Object.assign({}, ...wiring.extensions(memoryFilters).map(({ parameters }) => parameters.properties))
}

/**
 * The filters of other plugins that a request uses, all of which must hold; undefined when it uses none.
 * @throws FEATURE_NOT_ENABLED where the workspace's plan lacks the feature of one's plugin
 */
export async function resolveAddedFilters(
  wiring: Wiring,
  tenant: Tenant,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly AddedFilter[] | undefined> {
  const filters: AddedFilter[] = []
  for (const contribution of wiring.contributions(memoryFilters)) {
    const names = Object.keys(contribution.value.parameters.properties).filter(name => parameters[name] !== undefined)
    if (names.length === 0) continue
    requireFeature(tenant.workspace, contribution.feature)
    const passing = await passingOf(contribution, tenant, parameters)
    if (passing) filters.push({ names, passing })
  }
  return filters.length > 0 ? filters : undefined
}

async function passingOf(
  { plugin, value }: Contribution<MemoryFilterSource>,
  tenant: Tenant,
  parameters: Readonly<Record<string, unknown>>,
): Promise<PassingMemories | undefined> {
  const passing = await withTimeLimit(FILTER_MS, async signal => value.passing(tenant, parameters, signal)).catch(
    cause => {
      throw fail('SERVICE_UNAVAILABLE', {
        message: `The filter ${value.id} of the plugin ${plugin} is not available at the moment.`,
        retryAfterSeconds: 2,
        cause,
      })
    },
  )
  if (passing && 'ids' in passing && passing.ids.length > FILTER_IDS_MAX) {
    throw new Error(
      `plugin ${plugin}: its filter ${value.id} lists more than ${FILTER_IDS_MAX} ids; give \`select\` instead`,
    )
  }
  return passing
}

/** Conditions that begin with `and`, on the column of ids of a statement; nothing without filters. */
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
