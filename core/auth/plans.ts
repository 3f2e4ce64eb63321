import type { Quotas } from './caller.ts'

/** What a plan allows. */
export interface Plan {
  readonly features: ReadonlySet<string>
  readonly quotas: Quotas
}

/** Features that the built-in plugins stand for. */
export const BUILT_IN_FEATURES = ['hasKnowledgeGraph', 'ingest', 'webhooks', 'exports', 'templates'] as const

/** Has every feature, also those of plugins that nobody has written yet; iterates over the built-in ones. */
class EveryFeature extends Set<string> {
  override has(): boolean {
    return true
  }
}

const NO_LIMITS: Quotas = { memories: null, requests: null, tokens: null, webhooks: null }

const PLANS = {
  free: {
    features: new Set<string>(),
    quotas: { memories: 10_000, requests: 100_000, tokens: 5_000_000, webhooks: 2 },
  },
  pro: {
    features: new Set<string>(BUILT_IN_FEATURES.filter(feature => feature !== 'exports')),
    quotas: { memories: 250_000, requests: 2_000_000, tokens: 100_000_000, webhooks: 10 },
  },
  scale: {
    features: new Set<string>(BUILT_IN_FEATURES),
    quotas: { memories: 5_000_000, requests: 50_000_000, tokens: 2_000_000_000, webhooks: 100 },
  },
  unlimited: { features: new EveryFeature(BUILT_IN_FEATURES), quotas: NO_LIMITS },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof PLANS

export const PLAN_NAMES: readonly PlanName[] = ['free', 'pro', 'scale', 'unlimited']

/** What a self-hosted service gives its first workspace. */
export const DEFAULT_PLAN: PlanName = 'unlimited'

/** A plan by its stored name. A name this version does not know, e.g. of a newer one, allows as little as `free`. */
export function planOf(name: string): Plan {
  return isPlanName(name) ? PLANS[name] : PLANS.free
}

function isPlanName(name: string): name is PlanName {
  return Object.hasOwn(PLANS, name)
}
