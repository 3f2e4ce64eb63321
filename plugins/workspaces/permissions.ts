import type { PermissionGroup } from 'mneme/plugin'

export const permissionGroups: readonly PermissionGroup[] = [
  {
    name: 'Workspace',
    forAdmins: true,
    permissions: {
      'workspace.read': 'List and view workspaces.',
      'workspace.write': 'Create and update workspaces.',
      'workspace.delete': 'Delete workspaces.',
    },
  },
  {
    name: 'Keys',
    permissions: { 'token.write': 'Make short-lived tokens that are bound to a user.' },
    forAdmins: true,
  },
]
