import type { PermissionGroup } from '../plugin.ts'
import { definePort } from '../ports.ts'

/** Every permission of the loaded plugins, in groups. */
export interface PermissionCatalogue {
  groups(): readonly PermissionGroup[]
}

/** Bound by the kernel. */
export const permissionCatalogue = definePort<PermissionCatalogue>('core.permissions')
