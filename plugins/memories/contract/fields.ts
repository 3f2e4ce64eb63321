import {
  type Contribution,
  type ContributionFault,
  defineExtensionPoint,
  type Tenant,
  type TProperties,
  type TSchema,
  Type,
  type Wiring,
} from 'mneme/plugin'

/** The place where a memory is shown: `list` covers lists and search results, `full` a single memory. */
export type MemoryPlace = 'list' | 'full'

/**
 * A field that a plugin adds to memories in responses. It appears as `extensions.<plugin id>.<name>`, so it cannot collide with other
 * fields. It is omitted for memories without a value, and for all of them when it fails, times out, or the plan lacks the plugin's feature.
 */
export interface MemoryFieldSource {
  /** The name consists of lower-case letters, digits and `_`, and is unique within the plugin. */
  readonly name: string
  /** The schema of one value of at most 64,000 characters as JSON; other values are omitted. The reference shows its `description`. */
  readonly schema: TSchema
  /** The field is shown in both places when this is omitted. */
  readonly places?: readonly MemoryPlace[]
  /** {@link FIELD_MS_MAX} is the default and the most: a query of milliseconds takes as long on a busy machine. */
  readonly timeLimitMs?: number
  /** Loads the values of all memories of a page, keyed by memory id. It is called outside any transaction. */
  load(tenant: Tenant, memoryIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>
}

export const FIELD_MS_MAX = 2000

export const memoryFields = defineExtensionPoint<MemoryFieldSource>('memories.fields', {
  members: { name: 'string', schema: 'schema', load: 'function' },
  check: checkFields,
})

function checkFields(contributions: readonly Contribution<MemoryFieldSource>[]): ContributionFault[] {
  const taken = new Set<string>()
  return contributions.flatMap(({ plugin, value: { name } }) => {
    const place = `${plugin}.${name}`
    const faults = [
      ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`its field ${name} must be of lower-case letters, digits and _`]),
      ...(taken.has(place) ? [`it adds the field ${name} twice; rename one`] : []),
    ]
    taken.add(place)
    return faults.map(fault => ({ plugin, fault }))
  })
}

/** The fields of other plugins, keyed by plugin and then by field. */
export type MemoryExtensions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Builds the property `extensions` for memories shown at the place; there is none if no plugin adds a field. */
export function addedFields(wiring: Wiring, place: MemoryPlace): TProperties {
  const byPlugin = new Map<string, TProperties>()
  for (const { plugin, value } of wiring.contributions(memoryFields)) {
    if (!isShownAt(value, place)) continue
    byPlugin.set(plugin, { ...byPlugin.get(plugin), [value.name]: Type.Optional(value.schema) })
  }
  if (byPlugin.size === 0) return {}
  const groups = [...byPlugin].map(([plugin, fields]): [string, TSchema] => [
    plugin,
    Type.Optional(Type.Object(fields, { description: `What the plugin ${plugin} adds.` })),
  ])
  const description = 'What plugins add. A field may be missing at any time.'
  return { extensions: Type.Optional(Type.Object(Object.fromEntries(groups), { description })) }
}

export function isShownAt({ places }: MemoryFieldSource, place: MemoryPlace): boolean {
  return places?.includes(place) ?? true
}
