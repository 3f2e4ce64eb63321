import { messageOf } from '../failure-reason.ts'
import { asPlugin } from '../faults/attribution.ts'
import { type ConsolePage, consolePageFaults, consolePages } from '../pages/console-pages.ts'
import type { AnyPlugin, PermissionGroup } from '../plugin.ts'
import type { Contribution, Extension, ExtensionPoint } from '../ports.ts'
import { describe, orDidYouMean } from '../suggest.ts'
import { schemaFault } from './manifest/schema-fault.ts'
import type { PluginSelection } from './select.ts'

/** A contribution together with its plugin. */
export interface OwnedExtension {
  readonly plugin: AnyPlugin
  readonly extension: Extension
}

/** Lists everything that is wrong with what plugins add to one another, one sentence each. */
export function checkContributions(extensions: readonly OwnedExtension[], selection: PluginSelection): string[] {
  const all = [...selection.loaded, ...selection.disabled]
  const points = new Map([
    ...corePoints(all, selection).map(point => [point.id, { owner: CORE, point }] as const),
    ...all.flatMap(owner => (owner.extensionPoints ?? []).map(point => [point.id, { owner, point }] as const)),
  ])
  const placed = extensions.map(({ plugin, extension }) => placeFault(plugin, extension, points))
  const formed = extensions.map(({ plugin, extension }) => {
    const point = points.get(extension.point.id)?.point
    return point && formFault(plugin, extension.value, point)
  })
  const faults = [...placed, ...formed].filter(fault => fault !== undefined)
  if (faults.length > 0) return faults
  return [...points.values()].flatMap(({ owner, point }) => {
    const contributions = extensions
      .filter(({ extension }) => extension.point.id === point.id)
      .map(({ plugin: { id, feature }, extension }) => ({ plugin: id, feature, value: extension.value }))
    return [...duplicateIds(point, contributions), ...askOwner(owner, point, contributions)]
  })
}

type PointOwner = Pick<AnyPlugin, 'id'>

/** Points of the kernel need no entry in `requires`. */
const CORE: PointOwner = { id: 'core' }

function corePoints(
  all: readonly AnyPlugin[],
  { thirdParty }: Pick<PluginSelection, 'thirdParty'>,
): ExtensionPoint<unknown>[] {
  const permissions = new Set(all.flatMap(({ permissions = [] }) => permissions.flatMap(permissionsOf)))
  const features = new Set(all.flatMap(({ features = [] }) => features.map(({ name }) => name)))
  const point: ExtensionPoint<ConsolePage> = {
    ...consolePages,
    check: contributions => consolePageFaults(contributions, { permissions, features, thirdParty }),
  }
  return [point]
}

const permissionsOf = (group: PermissionGroup) => Object.keys(group.permissions)

type Points = ReadonlyMap<string, { readonly owner: PointOwner; readonly point: ExtensionPoint<unknown> }>

function placeFault({ id, requires = [], optional = [] }: AnyPlugin, { point }: Extension, points: Points) {
  const named = `plugin ${id}: contributes to the extension point ${point.id}`
  const owner = points.get(point.id)?.owner.id
  if (owner === undefined) {
    // The point belongs to an optional plugin that is not loaded.
    if (optional.includes(point.id.split('.')[0] ?? '')) return undefined
    return `${named}, which no plugin has; ${orDidYouMean(point.id, [...points.keys()], 'load the plugin that has it')}`
  }
  if (owner === CORE.id || owner === id || requires.includes(owner) || optional.includes(owner)) return undefined
  return `${named} of ${owner}, which it neither requires nor names as optional; add ${owner} to \`requires\``
}

function formFault(plugin: AnyPlugin, value: unknown, { id, members = {} }: ExtensionPoint<unknown>) {
  const named = `plugin ${plugin.id}: what it adds to the extension point ${id}`
  const needed = Object.entries(members)
  if (needed.length > 0 && (typeof value !== 'object' || value === null)) {
    return `${named} must be an object, not ${describe(value)}`
  }
  for (const [member, type] of needed) {
    const given = memberOf(value, member)
    if (type === 'schema') {
      const fault = schemaFault(given)
      if (fault !== undefined) return `${named} has a \`${member}\` that ${fault}`
      continue
    }
    if (typeof given === type && given !== null) continue
    const article = type === 'object' ? 'an' : 'a'
    return `${named} lacks \`${member}\`, which must be ${article} ${type}, not ${describe(given)}`
  }
  return undefined
}

function duplicateIds({ id: point }: ExtensionPoint<unknown>, contributions: readonly Contribution<unknown>[]) {
  const owners = new Map<string, string>()
  return contributions.flatMap(({ plugin, value }) => {
    const id = memberOf(value, 'id')
    if (typeof id !== 'string') return []
    const owner = owners.get(id)
    if (owner === undefined) {
      owners.set(id, plugin)
      return []
    }
    const both = owner === plugin ? 'twice' : `by both ${owner} and ${plugin}`
    return [`plugin ${plugin}: ${id} is added to the extension point ${point} ${both}; give one another id`]
  })
}

function askOwner(owner: PointOwner, point: ExtensionPoint<unknown>, contributions: Contribution<unknown>[]): string[] {
  if (!point.check || contributions.length === 0) return []
  try {
    return point.check(contributions).map(({ plugin, fault }) => `plugin ${plugin}: ${fault}`)
  } catch (error) {
    const message = messageOf(error)
    return [`plugin ${owner.id}: its check of the extension point ${point.id} failed: ${message}`]
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Wraps a contribution so that its functions run as its plugin's, whoever calls them. */
export function contributed(plugin: string, value: unknown): unknown {
  if (isFunction(value)) return asOwner(plugin, value, undefined)
  if (typeof value !== 'object' || value === null) return value
  const methods = new Map<PropertyKey, unknown>()
  const read = (key: PropertyKey): unknown => {
    // Members are read from the object itself, since private members of a class are no proxy's.
    const member: unknown = Reflect.get(value, key, value)
    if (!isFunction(member) || key === 'constructor') return member
    const known = methods.get(key)
    if (known !== undefined) return known
    const method = asOwner(plugin, member, value)
    methods.set(key, method)
    return method
  }
  // A proxy of a frozen object could only show that object's own functions, so an empty one stands in for it.
  const standIn: object = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))
  return new Proxy(standIn, {
    get: (_, key) => read(key),
    set: (_, key, given) => Reflect.set(value, key, given),
    has: (_, key) => Reflect.has(value, key),
    ownKeys: () => Reflect.ownKeys(value),
    getOwnPropertyDescriptor(_, key) {
      const own = Reflect.getOwnPropertyDescriptor(value, key)
      const configurable = !Object.hasOwn(standIn, key)
      return own && { value: read(key), enumerable: own.enumerable ?? false, writable: true, configurable }
    },
  })
}

function asOwner(plugin: string, work: (...args: never[]) => unknown, owner: unknown) {
  return (...args: unknown[]): unknown => asPlugin(plugin, () => Reflect.apply(work, owner, args))
}

function isFunction(value: unknown): value is (...args: never[]) => unknown {
  return typeof value === 'function'
}
