import { Value } from '@sinclair/typebox/value'
import { parseCronItem } from 'graphile-worker'
import { coreConfig } from '../config.ts'
import { coreErrors } from '../errors.ts'
import { kindsNamed } from '../events/events.ts'
import type { Route } from '../http/route.ts'
import { isUpload } from '../http/upload.ts'
import { payloadReader } from '../jobs/payload.ts'
import type { CronEntry, Task } from '../jobs/task.ts'
import type { AnyPlugin } from '../plugin.ts'
import { retentionFaults } from '../retention/check.ts'
import { subjectFaults } from '../subjects/check.ts'
import { checkEntitlements } from './check-entitlements.ts'
import { checkPages } from './check-pages.ts'
import { conflict, type PluginSelection, schemaOf } from './select.ts'
import { orDidYouMean } from './suggest.ts'

/** Carries all faults of plugins, one sentence each, which begins with a plugin's name. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

/** No plugin may take these schema names. */
const RESERVED_IDS = new Set(['core', 'public', 'graphile_worker', 'information_schema', 'pg_catalog'])

/**
 * Checks manifests against each other, before any plugin code runs: unique names are unique, and referenced ones exist.
 * Their form was checked when they were read. Every fault names both sides. `disabled` plugins still count for
 * uniqueness, since their routes respond too.
 */
export function checkManifests(selection: PluginSelection): void {
  const { loaded, disabled, thirdParty } = selection
  const all = [...loaded, ...disabled]
  // Whatever else was found of two plugins with one id could be the other's.
  const sameIds = duplicatesOf(all, selection, 'the plugin id', plugin => [plugin.id])
  if (sameIds.length > 0) throw new ManifestError(sameIds)
  const faults = [
    ...all.flatMap(plugin => checkAlone(plugin).map(fault => `plugin ${plugin.id}: ${fault}`)),
    ...findDuplicates(all, selection),
    ...all.flatMap(plugin => checkAgainstCore(plugin).map(fault => `plugin ${plugin.id}: ${fault}`)),
    ...checkEntitlements(all, thirdParty),
    ...checkPages(selection),
    ...all.flatMap(plugin => retentionFaults(plugin, schemaOf(plugin, selection))),
    ...all.flatMap(plugin => subjectFaults(plugin, schemaOf(plugin, selection))),
    ...checkReferences(loaded, all),
    ...loaded
      .filter(plugin => thirdParty.has(plugin.id))
      .flatMap(plugin => checkThirdParty(plugin).map(fault => `plugin ${plugin.id}: ${fault}`)),
  ]
  if (faults.length > 0) throw new ManifestError(faults)
}

function checkAlone(plugin: AnyPlugin): string[] {
  const { id, emits = [], tasks = [], routes = [], cron = [], extensionPoints = [], sealed = [], config } = plugin
  const settings = Object.keys(config?.properties ?? {})
  return [
    ...(RESERVED_IDS.has(id) ? [`the id ${id} is reserved; choose another`] : []),
    ...tasks
      .filter(task => !task.name.startsWith(`${id}:`))
      .map(task => `the task ${task.name} must begin with ${id}:`),
    ...extensionPoints
      .filter(point => !point.id.startsWith(`${id}.`))
      .map(point => `the extension point ${point.id} must begin with ${id}.`),
    ...settings
      .filter(name => !/^[A-Z][A-Z0-9_]*$/.test(name))
      .map(name => `the setting ${name} must be UPPER_SNAKE, as variables of the environment are`),
    ...emits
      .filter(({ schema, example }) => schema && example && !Value.Check(schema, example))
      .map(({ kind }) => `the example of the event ${kind} does not fit its schema`),
    ...sealed
      .filter(({ key }) => key[0] !== 'workspace_id')
      .map(
        ({ purpose }) => `the key of the sealed purpose ${purpose} must begin with workspace_id, as the table's does`,
      ),
    ...routes.flatMap(checkParameters),
    ...checkPlaces(routes),
    ...routes.flatMap(checkBodies),
    ...cron.flatMap(entry => {
      const fault = cronFault(entry, tasks)
      return fault ? [`its cron entry '${entry.schedule}' for ${entry.task} ${fault}`] : []
    }),
  ]
}

/** A parameter that the path does not have would refuse every request. */
function checkParameters({ method, path, params, workspace }: NonNullable<AnyPlugin['routes']>[number]): string[] {
  const inPath = new Set([...path.matchAll(/:([^/]+)/g)].map(([, name]) => name))
  const wanted = Object.keys(params?.properties ?? {})
  if (typeof workspace === 'object') wanted.push(workspace.param)
  return wanted
    .filter(name => !inPath.has(name))
    .map(name => `the route ${method} ${path} wants the parameter ${name}, which its path does not have (as :${name})`)
}

/** The reference has one entry a place, which has one name for each parameter. */
function checkPlaces(routes: NonNullable<AnyPlugin['routes']>): string[] {
  return [...Map.groupBy(routes, ({ path }) => shapeOf(path)).values()].flatMap(([first, ...others]) => {
    const other = others.find(({ method, path }) => method !== first?.method && path !== first?.path)
    if (!first || !other) return []
    const names = `${first.method} ${first.path} and ${other.method} ${other.path}`
    return [`the routes ${names} are at one place; give its parameters the same names`]
  })
}

/** Third parties keep to places of their own, so that a later built-in plugin never collides with one. */
function checkThirdParty(plugin: AnyPlugin): string[] {
  const prefix = `/v1/x/${plugin.id}/`
  const routes = (plugin.routes ?? []).filter(route => !route.path.startsWith(prefix))
  const permissions = permissionsOf(plugin).filter(name => !name.startsWith(`${plugin.id}.`))
  const operations = (plugin.routes ?? []).flatMap(({ operationId }) => operationId ?? [])
  const events = (plugin.emits ?? []).filter(({ kind }) => !kind.startsWith(`${plugin.id}.`))
  return [
    ...routes.map(route => `the route ${route.path} must begin with ${prefix}`),
    ...operations
      .filter(name => !name.startsWith(plugin.id))
      .map(name => `the operation ${name} must begin with ${plugin.id}, as ${plugin.id}CreateThing`),
    ...permissions.map(name => `the permission ${name} must begin with ${plugin.id}.`),
    ...events.map(({ kind }) => `the event ${kind} must begin with ${plugin.id}.`),
  ]
}

/** The kernel itself serves these paths. */
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
  return taken.map(what => `${what} is the core's own; choose another`)
}

function checkReferences(loaded: readonly AnyPlugin[], all: readonly AnyPlugin[]): string[] {
  const permissions = all.flatMap(permissionsOf)
  const events = all.flatMap(plugin => (plugin.emits ?? []).map(event => event.kind))
  const errors = [...Object.keys(coreErrors), ...all.flatMap(plugin => Object.keys(plugin.errors ?? {}))]
  return loaded.flatMap(plugin => {
    const { id, routes = [], subscriptions = [], recorders = [], cron = [], tasks = [] } = plugin
    const named = [
      ...routes.flatMap(({ method, path, access, errors: codes = [] }) => {
        const wanted = typeof access === 'object' ? [access.permission] : []
        return [
          ...unknown(
            wanted,
            permissions,
            'which no plugin declares',
            `the route ${method} ${path} wants the permission`,
          ),
          ...unknown(codes, errors, 'which no plugin declares', `the route ${method} ${path} names the error`),
        ]
      }),
      ...subscriptions.flatMap(subscription =>
        unknown(kindsNamed(subscription), events, 'which no plugin emits', `${subscription.name} subscribes to`),
      ),
      ...recorders.flatMap(recorder =>
        unknown(kindsNamed(recorder), events, 'which no plugin emits', `${recorder.name} records`),
      ),
      ...cron.flatMap(({ schedule, task }) =>
        unknown(
          [task],
          tasks.map(own => own.name),
          'which the plugin does not have',
          `its cron entry '${schedule}' names the task`,
        ),
      ),
    ]
    return named.map(fault => `plugin ${id}: ${fault}`)
  })
}

function unknown(names: readonly string[], known: readonly string[], why: string, what: string): string[] {
  return names
    .filter(name => !known.includes(name))
    .map(name => `${what} ${name}, ${why}; ${orDidYouMean(name, known, 'declare it, or load the plugin that does')}`)
}

function permissionsOf(plugin: AnyPlugin): string[] {
  return (plugin.permissions ?? []).flatMap(group => Object.keys(group.permissions))
}

/** `/v1/things/:id` and `/v1/things/:thingId` are the same place. */
export function shapeOf(path: string): string {
  return path.replace(/:[^/]+/g, ':')
}

/** A name of a part of a manifest; `same` is equal for those that mean one thing, where that is not the name itself. */
type Name = string | { readonly name: string; readonly same: string }

/** Lists the names by which others know parts of a manifest, or that must be unique. */
const UNIQUE: readonly (readonly [noun: string, namesOf: (plugin: AnyPlugin) => readonly Name[]])[] = [
  [
    'the route',
    ({ routes = [] }) =>
      routes.map(({ method, path }) => ({ name: `${method} ${path}`, same: `${method} ${shapeOf(path)}` })),
  ],
  ['the operation', ({ routes = [] }) => routes.flatMap(({ operationId }) => operationId ?? [])],
  ['the permission', permissionsOf],
  ['the error code', ({ errors = {} }) => Object.keys(errors)],
  ['the event', ({ emits = [] }) => emits.map(event => event.kind)],
  ['the port', ({ provides = [] }) => provides.map(port => port.id)],
  ['the extension point', ({ extensionPoints = [] }) => extensionPoints.map(point => point.id)],
  ['the task', ({ tasks = [] }) => tasks.map(task => task.name)],
  ['the command', ({ id, commands = [] }) => commands.map(({ name }) => `${id} ${name}`)],
  ['the feature', ({ features = [] }) => features.map(({ name }) => name)],
  ['the quota', ({ quotas = [] }) => quotas.map(({ name }) => name)],
  ['the workspace setting', ({ workspaceSettings = [] }) => workspaceSettings.map(({ key }) => key)],
  ['the setting', ({ config }) => Object.keys(config?.properties ?? {})],
  ['the sealed purpose', ({ id, sealed = [] }) => sealed.map(({ purpose }) => `${id}:${purpose}`)],
  ['the subscription', ({ id, subscriptions = [] }) => subscriptions.map(({ name }) => `${id}:${name}`)],
  ['the recorder', ({ id, recorders = [] }) => recorders.map(({ name }) => `${id}:${name}`)],
  ['the cron entry', ({ cron = [] }) => cron.map(({ schedule, task }) => `'${schedule}' for ${task}`)],
]

function findDuplicates(plugins: readonly AnyPlugin[], selection: PluginSelection): string[] {
  return UNIQUE.flatMap(([noun, namesOf]) => duplicatesOf(plugins, selection, noun, namesOf))
}

function duplicatesOf(
  plugins: readonly AnyPlugin[],
  selection: PluginSelection,
  noun: string,
  namesOf: (plugin: AnyPlugin) => readonly Name[],
): string[] {
  const first = new Map<string, { readonly owner: AnyPlugin; readonly name: string }>()
  const faults: string[] = []
  for (const plugin of plugins) {
    for (const given of namesOf(plugin)) {
      const { name, same } = typeof given === 'string' ? { name: given, same: given } : given
      const known = first.get(same)
      if (!known) {
        first.set(same, { owner: plugin, name })
        continue
      }
      const what = known.name === name ? `${noun} ${name}` : `${noun} ${name}, the same place as ${known.name},`
      if (known.owner === plugin) faults.push(`plugin ${plugin.id}: ${what} is declared twice; remove one`)
      else faults.push(conflict(what, plugin, known.owner, selection))
    }
  }
  return faults
}

/**
 * Says why an entry cannot be kept; undefined when it can.
 * @param tasks those of its plugin
 */
function cronFault({ schedule, task }: CronEntry, tasks: readonly Task[]): string | undefined {
  if (!isSchedule(schedule))
    return 'is not a cron expression of five fields (minute, hour, day, month, weekday, in UTC), e.g. 17 3 * * *'
  const payload = tasks.find(({ name }) => name === task)?.payload
  const reading = payload && payloadReader(payload)({})
  if (!reading || reading.valid) return undefined
  return `gives its jobs the payload {}, which the task does not take: ${reading.faults.join(', ')}`
}

function isSchedule(schedule: string): boolean {
  try {
    parseCronItem({ match: schedule, task: 'x' })
    return true
  } catch {
    return false
  }
}

/**
 * Lists declarations about a route's bodies that cannot be kept, each the end of a sentence that begins with its
 * plugin.
 */
export function checkBodies(
  route: Pick<
    Route,
    'method' | 'path' | 'body' | 'bodyMaxBytes' | 'raw' | 'download' | 'contentType' | 'head' | 'reads' | 'relays'
  >,
) {
  const { method, path, body, bodyMaxBytes, raw, download, contentType, head, reads, relays } = route
  const faults: string[] = []
  if (isUpload(body) && (method === 'GET' || method === 'DELETE'))
    faults.push(`takes an upload; make it a POST or a PUT`)
  if (isUpload(body) && raw) faults.push('takes an upload and is raw; a raw route reads its body itself')
  if (isUpload(body) && relays) faults.push('takes an upload and relays; an upload holds a turn while it is read')
  if (reads && method !== 'POST') faults.push('sets reads; that is for a POST that changes nothing')
  if (isUpload(body) && bodyMaxBytes !== undefined) faults.push('sets bodyMaxBytes; an upload has limits of its own')
  if (download && method !== 'GET') faults.push('answers with a download; make it a GET')
  if (download && !contentType) faults.push('answers with a download; name its contentType for the reference')
  if (head && method !== 'GET') faults.push('has a head of its own; only a GET answers HEAD')
  return faults.map(fault => `the route ${method} ${path} ${fault}`)
}
