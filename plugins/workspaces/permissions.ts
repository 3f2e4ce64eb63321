import type { PermissionGroup } from 'mneme/plugin'

const workspace: PermissionGroup = {
  name: 'Workspace',
  permissions: {
    'workspace.read': 'List and view workspaces.',
    'workspace.write': 'Create and update workspaces.',
    'workspace.delete': 'Delete workspaces.',
  },
}

/**
 * Groups whose plugins do not exist yet, so that keys can be given them already. A plugin that ships one takes it over:
 * remove the group here then, as a permission declared twice is refused at boot.
 */
const upcoming: readonly PermissionGroup[] = [
  {
    name: 'Export',
    permissions: {
      'export.read': 'List and download exports, and list imports.',
      'export.write': 'Create exports and imports.',
    },
  },
  { name: 'Dashboard', permissions: { 'dashboard.read': 'Read usage, quality and activity.' } },
  {
    name: 'Webhooks',
    permissions: {
      'webhook.read': 'List webhooks and their deliveries.',
      'webhook.write': 'Create, update and test webhooks.',
      'webhook.delete': 'Delete webhooks.',
    },
  },
  {
    name: 'Templates',
    permissions: {
      'template.read': 'List and view templates.',
      'template.write': 'Create, edit and apply templates.',
      'template.delete': 'Delete templates.',
    },
  },
  {
    name: 'Ingest',
    permissions: {
      'ingest.write': 'Submit files and web pages.',
      'ingest.read': 'Follow the progress of submitted files and web pages.',
    },
  },
]

export const permissionGroups: readonly PermissionGroup[] = [workspace, ...upcoming]
