import type { PermissionGroup } from '../plugin.ts'
import { definePort } from '../ports.ts'

/** Lists every permission of the loaded plugins, in groups. */
export interface PermissionCatalogue {
  groups(): readonly PermissionGroup[]
}

/** The kernel binds this port. */
export const permissionCatalogue = definePort<PermissionCatalogue>('core.permissions')
