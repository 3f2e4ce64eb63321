import { Type } from '@sinclair/typebox'
import { defineSetting, type Workspace, type WorkspaceSetting } from 'mneme/plugin'

const requestsTarget = defineSetting({
  key: 'targets.requests',
  schema: Type.Integer({
    minimum: 0,
    // Beyond any use, and exact in JSON.
    maximum: 1_000_000_000_000,
    description: 'Requests to aim at in a period.',
  }),
})

export const workspaceSettings: readonly WorkspaceSetting[] = [requestsTarget]

/** The change of settings in a body, which the schema of all plugins' settings has checked; undefined when it names none. */
export function settingsIn(body: object): Workspace['settings'] | undefined {
  const settings: unknown = Reflect.get(body, 'settings')
  return isDocument(settings) ? settings : undefined
}

function isDocument(value: unknown): value is Workspace['settings'] {
  return typeof value === 'object' && value !== null
}
