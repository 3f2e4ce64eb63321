import { LIMITED_PLANS } from '../auth/plans.ts'
import { pathOf } from '../auth/settings.ts'
import type { AnyPlugin } from '../plugin.ts'
import { coreQuotas } from '../usage/quotas.ts'
import { coreSettings } from './entitlements.ts'

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/
const KEY = /^[a-z][a-z0-9_]{0,62}(\.[a-z][a-z0-9_]{0,62}){0,3}$/
const FORMS = new Map([
  [NAME, 'a name of letters, digits and _'],
  [KEY, 'up to four names of lower-case letters, digits and _, with dots between them'],
])

/**
 * Checks the features, quotas and workspace settings of manifests against each other. `all` includes those switched
 * off.
 */
export function checkEntitlements(all: readonly AnyPlugin[], thirdParty: ReadonlySet<string>): string[] {
  const declared = new Set(all.flatMap(plugin => (plugin.features ?? []).map(({ name }) => name)))
  const permissions = new Set(
    all.flatMap(plugin => (plugin.permissions ?? []).flatMap(group => Object.keys(group.permissions))),
  )
  return [
    ...all.flatMap(plugin => [
      ...checkNames(plugin, thirdParty.has(plugin.id)),
      ...checkQuotas(plugin),
      ...checkSetters(plugin, permissions),
    ]),
    ...all.flatMap(({ id, feature }) =>
      feature === undefined || declared.has(feature)
        ? []
        : [
            `plugin ${id}: its feature ${feature} is declared by no plugin; add it to \`features\` with the plans that include it`,
          ],
    ),
    ...overlaps(all),
  ]
}

function checkNames({ id, features = [], quotas = [], workspaceSettings = [] }: AnyPlugin, isStranger: boolean) {
  const names = [
    ...features.map(({ name }) => ({ what: `the feature ${name}`, name, form: NAME })),
    ...quotas.map(({ name }) => ({ what: `the quota ${name}`, name, form: NAME })),
    ...workspaceSettings.map(({ key }) => ({ what: `the workspace setting ${key}`, name: key, form: KEY })),
  ]
  return names.flatMap(({ what, name, form }) => {
    if (!form.test(name)) return [`plugin ${id}: ${what} must be ${FORMS.get(form)}`]
    // The prefix keeps a later built-in plugin from taking the same name.
    const own = new RegExp(`^x_${id}($|[._])`).test(name)
    return isStranger && !own ? [`plugin ${id}: ${what} must be x_${id} or begin with x_${id}_`] : []
  })
}

function checkQuotas({ id, features = [], quotas = [] }: AnyPlugin): string[] {
  const known = LIMITED_PLANS.join(', ')
  return [
    ...features.flatMap(({ name, plans }) =>
      plans
        .filter(plan => !LIMITED_PLANS.includes(plan))
        .map(plan => `plugin ${id}: the feature ${name} names the plan ${plan}; name any of ${known}`),
    ),
    ...quotas
      .filter(({ per, count }) => per === 'account' && !count)
      .map(
        ({ name }) =>
          `plugin ${id}: the quota ${name} is per account and needs a count; what a month consumes is added up by workspace`,
      ),
    ...quotas.flatMap(({ name, limits }) =>
      LIMITED_PLANS.filter(plan => !Number.isSafeInteger(limits[plan]) || limits[plan] < 0).map(
        plan => `plugin ${id}: the quota ${name} needs a whole number of at least 0 for the plan ${plan}`,
      ),
    ),
  ]
}

function checkSetters({ id, workspaceSettings = [] }: AnyPlugin, permissions: ReadonlySet<string>): string[] {
  return workspaceSettings.flatMap(({ key, setBy }) =>
    typeof setBy === 'object' && !permissions.has(setBy.permission)
      ? [
          `plugin ${id}: the workspace setting ${key} wants the permission ${setBy.permission}, which no plugin declares`,
        ]
      : [],
  )
}

/** The core's names are taken, and a setting cannot be both a value and an object that others add to. */
function overlaps(all: readonly AnyPlugin[]): string[] {
  const coreNames = new Set([
    ...coreQuotas.map(({ name }) => `the quota ${name}`),
    ...coreSettings.map(({ key }) => `the workspace setting ${key}`),
  ])
  const settings = [
    ...coreSettings.map(({ key }) => ({ owner: 'the core', key })),
    ...all.flatMap(({ id, workspaceSettings = [] }) => workspaceSettings.map(({ key }) => ({ owner: id, key }))),
  ]
  return all.flatMap(({ id, quotas = [], workspaceSettings = [] }) => {
    const own = [
      ...quotas.map(({ name }) => `the quota ${name}`),
      ...workspaceSettings.map(({ key }) => `the workspace setting ${key}`),
    ]
    const taken = own.filter(name => coreNames.has(name)).map(name => `${name} is the core's own; choose another`)
    const inside = workspaceSettings.flatMap(({ key }) =>
      settings
        .filter(outer => isInside(pathOf(key), pathOf(outer.key)))
        .map(
          outer => `the workspace setting ${key} lies inside ${outer.key}, which ${outer.owner} declares as a value`,
        ),
    )
    return [...taken, ...inside].map(fault => `plugin ${id}: ${fault}`)
  })
}

function isInside(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.length > outer.length && outer.every((name, index) => inner[index] === name)
}
