import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Value } from '@sinclair/typebox/value'
import { parseCronItem } from 'graphile-worker'
import { pathOf } from '../auth/settings.ts'
import { coreConfig } from '../config.ts'
import { coreErrors } from '../errors.ts'
import { kindsNamed } from '../events/events.ts'
import type { Route } from '../http/route.ts'
import { isUpload } from '../http/upload.ts'
import { payloadReader } from '../jobs/payload.ts'
import { isWithin, type PageFolder } from '../pages/page-folder.ts'
import type { AnyPlugin } from '../plugin.ts'
import { retentionFaults } from '../retention/check.ts'
import { subjectFaults } from '../subjects/check.ts'
import { orDidYouMean } from '../suggest.ts'
import { coreQuotas } from '../usage/quotas.ts'
import { coreSettings } from './entitlements.ts'
import { conflict, type PluginSelection, schemaOf } from './select.ts'

/** Carries all faults of plugins, one sentence each, which begins with a plugin's name. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'))
  }
}

/**
 * Checks manifests against each other, before any plugin code runs: unique names are unique, and referenced ones exist.
 * Their form was checked when they were read. Every fault names both sides. `disabled` plugins still count for
 * uniqueness, since their routes respond too.
 */
export function checkManifests(selection: PluginSelection): void {
  const { loaded, disabled, thirdParty } = selection
  const all = [...loaded, ...disabled]
  // Whatever else was found of two plugins with one id could be the other's.
  const sameIds = duplicatesOf(all, selection, { noun: 'the plugin id', of: plugin => [plugin.id] })
  if (sameIds.length > 0) throw new ManifestError(sameIds)
  const known = declaredBy(all)
  const faults = [
    ...all.flatMap(plugin =>
      [
        ...(RESERVED_IDS.has(plugin.id) ? [`the id ${plugin.id} is reserved; choose another`] : []),
        ...NAMES.flatMap(names => misnamed(plugin, names, thirdParty.has(plugin.id))),
        ...partFaults(plugin),
        ...routeFaults(plugin),
        ...referenceFaults(plugin, known, loaded.includes(plugin)),
        ...settingFaults(plugin, all),
      ].map(fault => `plugin ${plugin.id}: ${fault}`),
    ),
    ...NAMES.flatMap(names => duplicatesOf(all, selection, names)),
    ...checkPages(selection),
    ...all.flatMap(plugin => retentionFaults(plugin, schemaOf(plugin, selection))),
    ...all.flatMap(plugin => subjectFaults(plugin, schemaOf(plugin, selection))),
  ]
  if (faults.length > 0) throw new ManifestError(faults)
}

/** No plugin may take these schema names. */
const RESERVED_IDS = new Set(['core', 'public', 'graphile_worker', 'information_schema', 'pg_catalog'])

/** The kernel itself serves these paths. */
const CORE_PATHS = /^\S+ \/(health|ready|metrics|openapi\.json|docs|docs\/.*|v1\/auth\/.*)$/

/** Names of one kind, by which others know parts of a manifest, or that must be unique. */
interface Names {
  readonly noun: string
  of(plugin: AnyPlugin): readonly string[]
  /** Equal for those that mean one thing, where that is not the name itself. */
  same?(name: string): string
  isCores?(name: string): boolean
  /** Each begins with this: the prefix keeps a later built-in plugin from taking the same name. */
  begins?(id: string): string
  /** Built-in plugins keep to `begins` as well. */
  readonly always?: boolean
}

const NAMES: readonly Names[] = [
  {
    noun: 'the route',
    of: ({ routes = [] }) => routes.map(nameOf),
    same: shapeOf,
    begins: id => `/v1/x/${id}/`,
    isCores: name => CORE_PATHS.test(name),
  },
  {
    noun: 'the operation',
    of: ({ routes = [] }) => routes.flatMap(({ operationId }) => operationId ?? []),
    begins: id => id,
  },
  { noun: 'the permission', of: permissionsOf, begins: id => `${id}.` },
  { noun: 'the error code', of: ({ errors = {} }) => Object.keys(errors), isCores: name => name in coreErrors },
  { noun: 'the event', of: ({ emits = [] }) => emits.map(({ kind }) => kind), begins: id => `${id}.` },
  { noun: 'the port', of: ({ provides = [] }) => provides.map(({ id }) => id) },
  {
    noun: 'the extension point',
    of: ({ extensionPoints = [] }) => extensionPoints.map(({ id }) => id),
    begins: id => `${id}.`,
    always: true,
  },
  { noun: 'the task', of: ({ tasks = [] }) => tasks.map(({ name }) => name), begins: id => `${id}:`, always: true },
  { noun: 'the command', of: ({ id, commands = [] }) => commands.map(({ name }) => `${id} ${name}`) },
  { noun: 'the feature', of: ({ features = [] }) => features.map(({ name }) => name), begins: ownName },
  {
    noun: 'the quota',
    of: ({ quotas = [] }) => quotas.map(({ name }) => name),
    begins: ownName,
    isCores: name => coreQuotas.some(quota => quota.name === name),
  },
  {
    noun: 'the workspace setting',
    of: ({ workspaceSettings = [] }) => workspaceSettings.map(({ key }) => key),
    begins: ownName,
    isCores: name => coreSettings.some(({ key }) => key === name),
  },
  { noun: 'the setting', of: settingsOf, isCores: name => name in coreConfig.properties },
  { noun: 'the sealed purpose', of: ({ id, sealed = [] }) => sealed.map(({ purpose }) => `${id}:${purpose}`) },
  {
    noun: 'the subscription',
    of: ({ id, subscriptions = [] }) => subscriptions.map(({ name }) => `${id}:${name}`),
  },
  { noun: 'the recorder', of: ({ id, recorders = [] }) => recorders.map(({ name }) => `${id}:${name}`) },
  { noun: 'the cron entry', of: ({ cron = [] }) => cron.map(({ schedule, task }) => `'${schedule}' for ${task}`) },
]

function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

function ownName(id: string): string {
  return `x_${id}`
}

function permissionsOf({ permissions = [] }: AnyPlugin): string[] {
  return permissions.flatMap(group => Object.keys(group.permissions))
}

function settingsOf({ config }: AnyPlugin): string[] {
  return Object.keys(config?.properties ?? {})
}

/** `/v1/things/:id` and `/v1/things/:thingId` are the same place. */
function shapeOf(path: string): string {
  return path.replace(/:[^/]+/g, ':')
}

/** Third parties keep to names of their own, and nobody takes those of the core. */
function misnamed(plugin: AnyPlugin, { noun, of, begins, always, isCores }: Names, isStranger: boolean): string[] {
  const prefix = begins?.(plugin.id)
  const isOwn = (name: string) => {
    if (prefix === undefined || !(always || isStranger)) return true
    // The name of a plugin whose id is longer begins with this one's, too.
    if (begins === ownName) return new RegExp(`^${prefix}($|[._])`).test(name)
    return name.replace(/^[A-Z]+ /, '').startsWith(prefix)
  }
  return of(plugin).flatMap(name => [
    ...(isOwn(name) ? [] : [`${noun} ${name} must begin with ${prefix}`]),
    ...(isCores?.(name) ? [`${noun} ${name} is the core's own; choose another`] : []),
  ])
}

function duplicatesOf(plugins: readonly AnyPlugin[], selection: PluginSelection, names: Names): string[] {
  const { noun, of, same = (name: string) => name } = names
  const first = new Map<string, { readonly owner: AnyPlugin; readonly name: string }>()
  const faults: string[] = []
  for (const plugin of plugins) {
    for (const name of of(plugin)) {
      const known = first.get(same(name))
      if (!known) {
        first.set(same(name), { owner: plugin, name })
        continue
      }
      const what = known.name === name ? `${noun} ${name}` : `${noun} ${name}, the same place as ${known.name},`
      faults.push(conflict(what, plugin, known.owner, selection))
    }
  }
  return faults
}

function* partFaults(plugin: AnyPlugin): Generator<string> {
  const { emits = [], tasks = [], cron = [], sealed = [], quotas = [] } = plugin
  for (const name of settingsOf(plugin))
    if (!/^[A-Z][A-Z0-9_]*$/.test(name))
      yield `the setting ${name} must be UPPER_SNAKE, as variables of the environment are`
  for (const { kind, schema, example } of emits)
    if (schema && example && !Value.Check(schema, example))
      yield `the example of the event ${kind} does not fit its schema`
  for (const { purpose, key } of sealed)
    if (key[0] !== 'workspace_id')
      yield `the key of the sealed purpose ${purpose} must begin with workspace_id, as the table's does`
  for (const { name, per, count } of quotas)
    if (per === 'account' && !count)
      yield `the quota ${name} is per account and needs a count; what a month consumes is added up by workspace`
  for (const { schedule, task } of cron) {
    const named = `its cron entry '${schedule}' for ${task}`
    if (!isSchedule(schedule))
      yield `${named} is not a cron expression of five fields (minute, hour, day, month, weekday, in UTC), e.g. 17 3 * * *`
    const payload = tasks.find(({ name }) => name === task)?.payload
    const reading = payload && payloadReader(payload)({})
    if (reading && !reading.valid)
      yield `${named} gives its jobs the payload {}, which the task does not take: ${reading.faults.join(', ')}`
  }
}

function isSchedule(schedule: string): boolean {
  try {
    return Boolean(parseCronItem({ match: schedule, task: 'x' }))
  } catch {
    return false
  }
}

function* routeFaults({ routes = [] }: AnyPlugin): Generator<string> {
  for (const route of routes) {
    // A parameter that the path does not have would refuse every request.
    const wanted = Object.keys(route.params?.properties ?? {})
    if (typeof route.workspace === 'object') wanted.push(route.workspace.param)
    for (const name of wanted)
      if (!route.path.split('/').includes(`:${name}`))
        yield `the route ${nameOf(route)} wants the parameter ${name}, which its path does not have (as :${name})`
    for (const fault of bodyFaults(route)) yield `the route ${nameOf(route)} ${fault}`
  }
  // The reference has one entry a place, which has one name for each parameter.
  for (const [first, ...others] of Map.groupBy(routes, ({ path }) => shapeOf(path)).values()) {
    const other = others.find(({ method, path }) => method !== first?.method && path !== first?.path)
    if (first && other)
      yield `the routes ${nameOf(first)} and ${nameOf(other)} are at one place; give its parameters the same names`
  }
}

type Bodies = Pick<
  Route,
  'method' | 'body' | 'bodyMaxBytes' | 'raw' | 'download' | 'contentType' | 'head' | 'reads' | 'relays'
>

/** Lists declarations about a route's bodies that cannot be kept. */
function bodyFaults({ method, body, bodyMaxBytes, raw, download, contentType, head, reads, relays }: Bodies): string[] {
  const upload = isUpload(body)
  const rules: readonly (readonly [boolean | undefined, string])[] = [
    [upload && (method === 'GET' || method === 'DELETE'), 'takes an upload; make it a POST or a PUT'],
    [upload && raw, 'takes an upload and is raw; a raw route reads its body itself'],
    [upload && relays, 'takes an upload and relays; an upload holds a turn while it is read'],
    [upload && bodyMaxBytes !== undefined, 'sets bodyMaxBytes; an upload has limits of its own'],
    [reads && method !== 'POST', 'sets reads; that is for a POST that changes nothing'],
    [download && method !== 'GET', 'answers with a download; make it a GET'],
    [download && !contentType, 'answers with a download; name its contentType for the reference'],
    [head && method !== 'GET', 'has a head of its own; only a GET answers HEAD'],
  ]
  return rules.flatMap(([broken, fault]) => (broken ? [fault] : []))
}

type Declared = ReturnType<typeof declaredBy>

function declaredBy(all: readonly AnyPlugin[]) {
  return {
    permissions: all.flatMap(permissionsOf),
    events: all.flatMap(({ emits = [] }) => emits.map(({ kind }) => kind)),
    errors: [...Object.keys(coreErrors), ...all.flatMap(({ errors = {} }) => Object.keys(errors))],
    features: all.flatMap(({ features = [] }) => features.map(({ name }) => name)),
  }
}

/** Lists what a plugin names and nobody declares. One that is switched off may name what is of others that are away. */
function referenceFaults(plugin: AnyPlugin, known: Declared, isLoaded: boolean): string[] {
  const { feature, routes = [], subscriptions = [], recorders = [], cron = [], tasks = [] } = plugin
  const own = tasks.map(({ name }) => name)
  const named: (readonly [what: string, names: readonly string[], known: readonly string[], by: string])[] = [
    ['its feature', feature === undefined ? [] : [feature], known.features, 'no plugin declares'],
    ...(plugin.workspaceSettings ?? []).map(({ key, setBy }) => {
      const wanted = typeof setBy === 'object' ? [setBy.permission] : []
      return [
        `the workspace setting ${key} wants the permission`,
        wanted,
        known.permissions,
        'no plugin declares',
      ] as const
    }),
  ]
  if (isLoaded) {
    for (const route of routes) {
      const wanted = typeof route.access === 'object' ? [route.access.permission] : []
      const at = `the route ${nameOf(route)}`
      named.push([`${at} wants the permission`, wanted, known.permissions, 'no plugin declares'])
      named.push([`${at} names the error`, route.errors ?? [], known.errors, 'no plugin declares'])
    }
    for (const { name, ...rest } of subscriptions)
      named.push([`${name} subscribes to`, kindsNamed(rest), known.events, 'no plugin emits'])
    for (const { name, ...rest } of recorders)
      named.push([`${name} records`, kindsNamed(rest), known.events, 'no plugin emits'])
    for (const { schedule, task } of cron)
      named.push([`its cron entry '${schedule}' names the task`, [task], own, 'the plugin does not have'])
  }
  return named.flatMap(([what, names, there, by]) =>
    names
      .filter(name => !there.includes(name))
      .map(name => {
        const hint = orDidYouMean(name, there, 'declare it, or load the plugin that does')
        return `${what} ${name}, which ${by}; ${hint}`
      }),
  )
}

/** A setting of workspaces cannot be both a value and an object that others add to. */
function settingFaults({ workspaceSettings = [] }: AnyPlugin, all: readonly AnyPlugin[]): string[] {
  const settings = [
    ...coreSettings.map(({ key }) => ({ owner: 'the core', key })),
    ...all.flatMap(({ id, workspaceSettings: own = [] }) => own.map(({ key }) => ({ owner: id, key }))),
  ]
  return workspaceSettings.flatMap(({ key }) =>
    settings
      .filter(outer => pathOf(key).length > pathOf(outer.key).length && key.startsWith(`${outer.key}.`))
      .map(
        ({ key: outer, owner }) =>
          `the workspace setting ${key} lies inside ${outer}, which ${owner} declares as a value`,
      ),
  )
}

/** Paths with these first segments are the kernel's, the API's or those of third parties. */
const TAKEN = new Set(['v1', 'x', 'health', 'ready', 'metrics', 'openapi.json', 'docs'])

/** Checks the pages of manifests against the disk, each other and all routes. */
export function checkPages(selection: PluginSelection): string[] {
  const { loaded, disabled, thirdParty } = selection
  const all = [...loaded, ...disabled]
  const pages = all.flatMap(owner => (owner.pages ?? []).map(page => ({ owner, page })))
  const [home, ...homes] = pages.filter(({ owner, page }) => page.isHome && !thirdParty.has(owner.id))
  return [
    ...pages.flatMap(({ owner, page }) =>
      [
        ...pathFaults(owner.id, page, thirdParty.has(owner.id)),
        ...(loaded.includes(owner) ? folderFaults(page) : []),
      ].map(fault => `plugin ${owner.id}: ${fault}`),
    ),
    // One page is what people begin with.
    ...homes.flatMap(({ owner }) => (home ? [conflict('the page at /', owner, home.owner, selection)] : [])),
    ...pages.flatMap(({ owner, page: { path } }, index) => [
      // One page inside another would hide files of it, and so would a route.
      ...pages
        .slice(0, index)
        .filter(({ page: other }) => isWithin(path, other.path) || isWithin(other.path, path))
        .map(({ owner: first, page: other }) => {
          const upper = path.length < other.path.length ? path : other.path
          const what = path === other.path ? `the page ${path}` : `a page at or below ${upper}`
          return conflict(what, owner, first, selection)
        }),
      ...all.flatMap(plugin =>
        (plugin.routes ?? [])
          .filter(route => isWithin(route.path, path))
          .map(route =>
            conflict(`${route.path}, a route and a place below the page ${path},`, plugin, owner, selection),
          ),
      ),
    ]),
  ]
}

function pathFaults(id: string, { path, isHome }: PageFolder, isThirdParty: boolean): string[] {
  const [, first = ''] = path.split('/')
  if (!isThirdParty)
    return TAKEN.has(first) ? [`the page ${path} lies below /${first}, which is taken; choose another path`] : []
  return [
    ...(isWithin(path, `/x/${id}`) ? [] : [`the page ${path} must be /x/${id} or lie below it`]),
    ...(isHome ? ['a page of a third party cannot have isHome; leave it out'] : []),
  ]
}

function folderFaults({ path, folder, fallback }: PageFolder): string[] {
  const place = fileURLToPath(folder)
  const at = (url: string | URL) => statSync(url, { throwIfNoEntry: false })
  if (!at(place)?.isDirectory())
    return [`the page ${path} has the folder ${place}, which does not exist; build it, or name another`]
  if (fallback === undefined || at(new URL(fallback, folder.href.replace(/\/?$/, '/')))?.isFile()) return []
  return [`the page ${path} has the fallback ${fallback}, which is no file of ${place}; add it, or leave it out`]
}
