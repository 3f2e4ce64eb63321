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

/** Where a memory is shown: `list` in lists and among the results of a search, `full` as one memory. */
export type MemoryPlace = 'list' | 'full'

/**
 * A field that a plugin adds to memories in responses. It stands under `extensions.<plugin id>.<name>`, so it never meets a field of
 * the service or of another plugin. Left out for memories that it has nothing for, and for all of them where it fails, takes too
 * long, or the plan lacks its plugin's feature.
 */
export interface MemoryFieldSource {
  /** Lower-case letters, digits and `_`; unique within the plugin. */
  readonly name: string
  /** One value; its `description` is shown in the reference. */
  readonly schema: TSchema
  /** Both when left out. */
  readonly places?: readonly MemoryPlace[]
  /** Default {@link FIELD_MS}, at most {@link FIELD_MS_MAX}. */
  readonly timeLimitMs?: number
  /** The values by memory id, for all memories of a page at once. Called outside of any transaction. */
  load(tenant: Tenant, memoryIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>>
}

export const FIELD_MS = 300
export const FIELD_MS_MAX = 2000

export const memoryFields = defineExtensionPoint<MemoryFieldSource>('memories.fields', {
  members: { name: 'string', schema: 'object', load: 'function' },
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

/** What other plugins show of a memory: by plugin, then by field. */
export type MemoryExtensions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The property `extensions` of memories that are shown at the place; no property where nobody adds anything. */
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
