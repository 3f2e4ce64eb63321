import { randomUUID } from 'node:crypto'
import type { Workspace } from '../../core/auth/caller.ts'

/** Makes a workspace whose plan has these features and no limits; nothing is stored. */
export function workspaceWith(features: readonly string[], id = randomUUID() as string): Workspace {
  return {
    id,
    name: 'By hand',
    accountId: id,
    plan: 'unlimited',
    features: new Set(features),
    quotas: {},
    settings: {},
    twinOf: null,
  }
}
