import type { QuotaLimits } from './caller.ts'

/** Every plan, the smallest first. What is in each comes from the manifests of plugins. */
export const PLAN_NAMES = ['free', 'pro', 'scale', 'unlimited'] as const

export type PlanName = (typeof PLAN_NAMES)[number]

/** Plans that limit something; `unlimited` has every feature and no limit. */
export type LimitedPlan = Exclude<PlanName, 'unlimited'>

export const LIMITED_PLANS: readonly LimitedPlan[] = ['free', 'pro', 'scale']

/** What a self-hosted service gives its first workspace. */
export const DEFAULT_PLAN: PlanName = 'unlimited'

/** Something that a plan includes or leaves out, as the plugin it belongs to declares it. */
export interface PlanFeature {
  /** Unique. A third party's begins with `x_<plugin id>`. */
  readonly name: string
  /** What a workspace gets with it, one sentence. */
  readonly description: string
  /** Plans that include it beside `unlimited`. The setting `PLAN_FEATURES` adds further ones. */
  readonly plans: readonly LimitedPlan[]
}

/** The most of something that each limited plan allows. */
export type PlanLimits = Readonly<Record<LimitedPlan, number>>

/** What a plan allows. */
export interface Plan {
  readonly features: ReadonlySet<string>
  readonly quotas: QuotaLimits
}

/** The plans of this server. */
export interface Plans {
  /** A plan by its stored name. A name this version does not know, e.g. of a newer one, allows as little as `free`. */
  planOf(name: string): Plan
}

export interface PlansInput {
  /** Those of loaded plugins: what is switched off is in no plan. */
  readonly features: readonly PlanFeature[]
  readonly quotas: readonly { readonly name: string; readonly limits: PlanLimits }[]
  /** Features that the operator put into further plans. */
  readonly granted?: readonly PlanGrant[]
}

/** One entry of the setting `PLAN_FEATURES`. */
export interface PlanGrant {
  readonly plan: PlanName
  readonly feature: string
}

export function createPlans({ features, quotas, granted = [] }: PlansInput): Plans {
  const plans = new Map<string, Plan>(
    PLAN_NAMES.map(plan => {
      const includes = ({ name, plans: within }: PlanFeature) =>
        plan === 'unlimited' ||
        within.includes(plan) ||
        granted.some(grant => grant.plan === plan && grant.feature === name)
      return [
        plan,
        {
          features: new Set(features.filter(includes).map(({ name }) => name)),
          quotas: Object.fromEntries(
            quotas.map(({ name, limits }) => [name, plan === 'unlimited' ? null : limits[plan]]),
          ),
        },
      ]
    }),
  )
  const least = plans.get('free')
  if (!least) throw new Error('there is no plan called free')
  return { planOf: name => plans.get(name) ?? least }
}

export function isPlanName(name: string): name is PlanName {
  return PLAN_NAMES.some(known => known === name)
}
