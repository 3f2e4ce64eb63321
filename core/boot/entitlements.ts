import { createPlans, isPlanName, type PlanGrant, type Plans } from '../auth/plans.ts'
import type { WorkspaceSetting } from '../auth/settings.ts'
import { createSettingsCatalogue, type SettingsCatalogue } from '../auth/settings-catalogue.ts'
import type { ConfigFault, CoreConfig, Environment } from '../config.ts'
import { dailyModelTokens } from '../models/language/daily-tokens.ts'
import { splitList } from '../parts.ts'
import type { QuotaDefinition } from '../usage/quota.ts'
import { coreQuotas } from '../usage/quotas.ts'
import type { PluginSelection } from './select.ts'

/** The kernel itself reads these settings of workspaces. */
export const coreSettings: readonly WorkspaceSetting[] = [dailyModelTokens]

/** Holds the plans of this server, and the settings that workspaces have. */
export interface Entitlements {
  readonly plans: Plans
  readonly quotas: readonly QuotaDefinition[]
  readonly settings: SettingsCatalogue
}

/**
 * Gathers what manifests contribute. A plugin that is switched off is in no plan and counts nothing; settings of
 * built-in ones stay, so that they can be seen and hold again later.
 */
export function collectEntitlements(
  { loaded, disabled }: Pick<PluginSelection, 'loaded' | 'disabled'>,
  config: Pick<CoreConfig, 'PLAN_FEATURES'>,
): Entitlements {
  const quotas = [...coreQuotas, ...loaded.flatMap(plugin => plugin.quotas ?? [])]
  const features = loaded.flatMap(plugin => plugin.features ?? [])
  const settings = [...loaded, ...disabled].flatMap(plugin => plugin.workspaceSettings ?? [])
  return {
    plans: createPlans({ features, quotas, granted: readGrants(config.PLAN_FEATURES).granted }),
    quotas,
    settings: createSettingsCatalogue([...coreSettings, ...settings]),
  }
}

/** Reads `pro:x_guestbook, free:x_guestbook`; unreadable parts are named in `wrong`. */
function readGrants(setting: string | undefined): { granted: PlanGrant[]; wrong: string[] } {
  const granted: PlanGrant[] = []
  const wrong: string[] = []
  for (const entry of splitList(setting)) {
    const [plan = '', feature = '', ...rest] = entry.split(':').map(part => part.trim())
    if (isPlanName(plan) && feature !== '' && rest.length === 0) granted.push({ plan, feature })
    else wrong.push(entry)
  }
  return { granted, wrong }
}

/** Checks `PLAN_FEATURES` against the plugins there are: a typo would silently leave a feature out of a plan. Without `knowsFeatures` any name is accepted. */
export function checkGrants(
  { loaded, disabled }: Pick<PluginSelection, 'loaded' | 'disabled'>,
  { PLAN_FEATURES }: Environment,
  knowsFeatures = true,
): ConfigFault[] {
  const { granted, wrong } = readGrants(PLAN_FEATURES)
  const known = [...loaded, ...disabled].flatMap(plugin => (plugin.features ?? []).map(({ name }) => name))
  const named = knowsFeatures ? granted.map(({ feature }) => feature) : []
  const unknown = named.filter(feature => !known.includes(feature))
  return [
    ...wrong.map(entry => `names ${entry}, which is no plan (free, pro, scale) and feature, as in pro:x_guestbook.`),
    ...[...new Set(unknown)].map(
      feature => `names ${feature}, which no plugin declares (there are: ${known.join(', ') || 'none'}).`,
    ),
  ].map(message => ({ name: 'PLAN_FEATURES', message }))
}
