import type { PermissionGroup } from '../plugin.ts'
import { definePort } from '../ports.ts'

/** Lists every permission of the loaded plugins, in groups. */
export interface PermissionCatalogue {
  groups(): readonly PermissionGroup[]
  /** Those that a key may have which is bound to a user. */
  ofSubjects(): ReadonlySet<string>
}

/** The kernel binds this port. */
export const permissionCatalogue = definePort<PermissionCatalogue>('core.permissions')
