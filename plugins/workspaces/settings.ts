import type { Workspace, WorkspaceSetting } from 'mneme/plugin'
import { requestsTarget } from './contract.ts'

export const workspaceSettings: readonly WorkspaceSetting[] = [requestsTarget]

/** The change of settings in a body, which the schema of all plugins' settings has checked; undefined when it names none. */
export function settingsIn(body: object): Workspace['settings'] | undefined {
  const settings: unknown = Reflect.get(body, 'settings')
  return isDocument(settings) ? settings : undefined
}

function isDocument(value: unknown): value is Workspace['settings'] {
  return typeof value === 'object' && value !== null
}
