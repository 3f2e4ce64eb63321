import { fail } from '../errors.ts'
import type { Workspace } from './caller.ts'

/**
 * Whether a workspace's plan includes what a part of a plugin stands for; a part without a feature is for everyone. The one
 * check behind routes, subscriptions, tasks, pages and contributions to other plugins.
 */
export function hasFeature({ features }: Pick<Workspace, 'features'>, feature: string | undefined): boolean {
  return feature === undefined || features.has(feature)
}

/** @throws FEATURE_NOT_ENABLED where the workspace's plan lacks the feature */
export function requireFeature(workspace: Pick<Workspace, 'features'>, feature: string | undefined): void {
  if (!hasFeature(workspace, feature)) {
    throw fail('FEATURE_NOT_ENABLED', { message: `The workspace's plan does not include ${feature}.` })
  }
}
