import { Value } from '@sinclair/typebox/value'
import { coreConfig } from '../config.ts'
import { coreErrors } from '../errors.ts'
import { kindsNamed } from '../events.ts'
import { type AnyPlugin, PLUGIN_API_VERSION } from '../plugin.ts'
import { checkEntitlements } from './check-entitlements.ts'
import type { PluginSelection } from './select.ts'

/** All disagreements between manifests, one sentence each. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

/** Schema names that are not a plugin's to take. */
const RESERVED_IDS = new Set(['core', 'public', 'graphile_worker', 'information_schema', 'pg_catalog'])

/**
 * Checks manifests as data, before any plugin code runs: what must be unique is, what is named exists. Every fault names
 * both sides. `disabled` plugins still count for uniqueness, since their routes answer too.
 */
export function checkManifests({ loaded, disabled, thirdParty }: PluginSelection): void {
  const all = [...loaded, ...disabled]
  const faults = [
    ...all.flatMap(checkIdentity),
    ...duplicates(all, 'the plugin id', plugin => [plugin.id]),
    ...duplicates(all, 'the route', plugin =>
      (plugin.routes ?? []).map(route => `${route.method} ${shapeOf(route.path)}`),
    ),
    ...duplicates(all, 'the permission', plugin => permissionsOf(plugin)),
    ...duplicates(all, 'the error code', plugin => Object.keys(plugin.errors ?? {})),
    ...duplicates(all, 'the event', plugin => (plugin.emits ?? []).map(event => event.kind)),
    ...duplicates(all, 'the port', plugin => (plugin.provides ?? []).map(port => port.id)),
    ...duplicates(all, 'the extension point', plugin => (plugin.extensionPoints ?? []).map(point => point.id)),
    ...duplicates(all, 'the task', plugin => (plugin.tasks ?? []).map(task => task.name)),
    ...duplicates(all, 'the command', plugin => (plugin.commands ?? []).map(({ name }) => `${plugin.id} ${name}`)),
    ...duplicates(all, 'the setting', plugin => Object.keys(plugin.config?.properties ?? {})),
    ...duplicates(all, 'the subscription', plugin =>
      (plugin.subscriptions ?? []).map(({ name }) => `${plugin.id}:${name}`),
    ),
    ...all.flatMap(checkAgainstCore),
    ...all.flatMap(plugin => checkEvents(plugin, thirdParty)),
    ...checkEntitlements(all, thirdParty),
    ...checkReferences(loaded, all),
    ...loaded.filter(plugin => thirdParty.has(plugin.id)).flatMap(checkThirdParty),
  ]
  if (faults.length > 0) throw new ManifestError(faults)
}

function checkIdentity(plugin: AnyPlugin): string[] {
  const faults: string[] = []
  if (!/^[a-z][a-z0-9_]{1,40}$/.test(plugin.id))
    faults.push(`plugin ${plugin.id}: an id is 2 to 41 lower-case letters, digits or _`)
  if (RESERVED_IDS.has(plugin.id)) faults.push(`plugin ${plugin.id}: this id is reserved`)
  if (plugin.apiVersion !== PLUGIN_API_VERSION) {
    faults.push(
      `plugin ${plugin.id} is written for plugin API ${String(plugin.apiVersion)}, this server has ${PLUGIN_API_VERSION}`,
    )
  }
  for (const task of plugin.tasks ?? []) {
    if (!task.name.startsWith(`${plugin.id}:`))
      faults.push(`plugin ${plugin.id}: the task ${task.name} must begin with ${plugin.id}:`)
  }
  for (const route of plugin.routes ?? []) {
    if (!route.access) faults.push(`plugin ${plugin.id}: the route ${route.method} ${route.path} names no permission`)
    if (!route.path.startsWith('/')) faults.push(`plugin ${plugin.id}: the route ${route.path} must begin with /`)
  }
  return faults
}

/** Third parties keep to places of their own, so that a later built-in plugin never collides with one. */
function checkThirdParty(plugin: AnyPlugin): string[] {
  const prefix = `/v1/x/${plugin.id}/`
  const routes = (plugin.routes ?? []).filter(route => !route.path.startsWith(prefix))
  const permissions = permissionsOf(plugin).filter(name => !name.startsWith(`${plugin.id}.`))
  return [
    ...routes.map(route => `plugin ${plugin.id}: the route ${route.path} must begin with ${prefix}`),
    ...permissions.map(name => `plugin ${plugin.id}: the permission ${name} must begin with ${plugin.id}.`),
  ]
}

/** Paths that the kernel answers itself. */
const CORE_PATHS = /^\/(health|ready|metrics|openapi\.json|docs|docs\/.*|v1\/auth\/.*)$/

function checkAgainstCore(plugin: AnyPlugin): string[] {
  const taken = [
    ...Object.keys(plugin.errors ?? {})
      .filter(code => code in coreErrors)
      .map(code => `the error code ${code}`),
    ...Object.keys(plugin.config?.properties ?? {})
      .filter(name => name in coreConfig.properties)
      .map(name => `the setting ${name}`),
    ...(plugin.routes ?? [])
      .filter(({ path }) => CORE_PATHS.test(path))
      .map(({ method, path }) => `the route ${method} ${path}`),
  ]
  return taken.map(what => `${what} is declared by both the core and ${plugin.id}`)
}

function checkReferences(loaded: readonly AnyPlugin[], all: readonly AnyPlugin[]): string[] {
  const faults: string[] = []
  const permissions = new Set(all.flatMap(permissionsOf))
  const events = new Set(all.flatMap(plugin => (plugin.emits ?? []).map(event => event.kind)))
  const errors = new Set([...Object.keys(coreErrors), ...all.flatMap(plugin => Object.keys(plugin.errors ?? {}))])
  for (const plugin of loaded) {
    const tasks = new Set((plugin.tasks ?? []).map(task => task.name))
    for (const { method, path, access, errors: codes = [] } of plugin.routes ?? []) {
      if (typeof access === 'object' && !permissions.has(access.permission)) {
        faults.push(
          `plugin ${plugin.id}: the route ${method} ${path} wants the permission ${access.permission}, which no plugin declares`,
        )
      }
      for (const code of codes.filter(code => !errors.has(code))) {
        faults.push(
          `plugin ${plugin.id}: the route ${method} ${path} names the error ${code}, which no plugin declares`,
        )
      }
    }
    faults.push(...checkSubscriptions(plugin, events))
    for (const { task } of plugin.cron ?? []) {
      if (!tasks.has(task))
        faults.push(`plugin ${plugin.id}: its schedule names the task ${task}, which it does not have`)
    }
  }
  return faults
}

function checkSubscriptions({ id, subscriptions = [] }: AnyPlugin, events: ReadonlySet<string>): string[] {
  return subscriptions.flatMap(subscription => {
    const { event, name } = subscription
    if (event.length === 0) return [`plugin ${id}: ${name} subscribes to no event`]
    return kindsNamed(subscription)
      .filter(kind => !events.has(kind))
      .map(kind => `plugin ${id}: ${name} subscribes to ${kind}, which no plugin emits`)
  })
}

/** Third parties name their kinds after themselves, and what an event shows to people is true. */
function checkEvents(plugin: AnyPlugin, thirdParty: ReadonlySet<string>): string[] {
  return (plugin.emits ?? []).flatMap(({ kind, schema, example }) => {
    const faults: string[] = []
    if (!EVENT_KIND.test(kind))
      faults.push(`plugin ${plugin.id}: the event ${kind} must be named noun.pastTense, in letters and digits`)
    if (thirdParty.has(plugin.id) && !kind.startsWith(`${plugin.id}.`))
      faults.push(`plugin ${plugin.id}: the event ${kind} must begin with ${plugin.id}.`)
    if (schema && example && !Value.Check(schema, example))
      faults.push(`plugin ${plugin.id}: the example of the event ${kind} does not fit its schema`)
    return faults
  })
}

const EVENT_KIND = /^[a-z][a-zA-Z0-9_]*(\.[a-z][a-zA-Z0-9_]*)+$/

function permissionsOf(plugin: AnyPlugin): string[] {
  return (plugin.permissions ?? []).flatMap(group => Object.keys(group.permissions))
}

/** `/v1/things/:id` and `/v1/things/:thingId` are the same place. */
export function shapeOf(path: string): string {
  return path.replace(/:[^/]+/g, ':')
}

function duplicates(plugins: readonly AnyPlugin[], noun: string, namesOf: (plugin: AnyPlugin) => string[]): string[] {
  const owners = new Map<string, string>()
  const faults: string[] = []
  for (const plugin of plugins) {
    for (const name of namesOf(plugin)) {
      const owner = owners.get(name)
      if (owner === undefined) owners.set(name, plugin.id)
      else faults.push(`${noun} ${name} is declared by both ${owner} and ${plugin.id}`)
    }
  }
  return faults
}
