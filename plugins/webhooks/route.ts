import { routesOf } from 'mneme/plugin'
import type { WebhooksScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<WebhooksScope>()

export const READ = { permission: 'webhook.read' } as const
export const WRITE = { permission: 'webhook.write' } as const
export const DELETE = { permission: 'webhook.delete' } as const
