import type { QuotaLimits } from './caller.ts'

/** Lists every plan, the smallest first. The manifests of plugins say what is in each. */
export const PLAN_NAMES = ['free', 'pro', 'scale', 'unlimited'] as const

export type PlanName = (typeof PLAN_NAMES)[number]

/** Plans that limit something; `unlimited` has every feature and no limit. */
export type LimitedPlan = Exclude<PlanName, 'unlimited'>

export const LIMITED_PLANS: readonly LimitedPlan[] = ['free', 'pro', 'scale']

/** A self-hosted service gives its first workspace this plan. */
export const DEFAULT_PLAN: PlanName = 'unlimited'

/** A feature that a plan includes or leaves out, as its plugin declares it. */
export interface PlanFeature {
  /** Unique. A third party's begins with `x_<plugin id>`. */
  readonly name: string
  /** Says in one sentence what a workspace gets with it. */
  readonly description: string
  /** These plans include it beside `unlimited`. The setting `PLAN_FEATURES` adds further ones. */
  readonly plans: readonly LimitedPlan[]
}

/** Maps each limited plan to the most it allows. */
export type PlanLimits = Readonly<Record<LimitedPlan, number>>

/** Lists what a plan includes and the most that it allows. */
export interface Plan {
  readonly features: ReadonlySet<string>
  readonly quotas: QuotaLimits
}

/** The plans of this server. */
export interface Plans {
  /**
   * Finds a plan by its stored name. A name this version does not know, e.g. of a newer one, allows as little as
   * `free`.
   */
  planOf(name: string): Plan
}

export interface PlansInput {
  /** Only loaded plugins count: no plan includes what is switched off. */
  readonly features: readonly PlanFeature[]
  readonly quotas: readonly { readonly name: string; readonly limits: PlanLimits }[]
  /** The operator put these features into further plans. */
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
