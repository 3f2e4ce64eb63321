import { fail } from '../errors.ts'
import type { Workspace } from './caller.ts'

/**
 * Tells whether a workspace's plan includes a part of a plugin; a part without a feature is for everyone. Routes,
 * subscriptions, tasks, pages and contributions to other plugins all rely on this one check.
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
