import { routesOf } from 'mneme/plugin'
import type { TemplatesScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<TemplatesScope>()

export const READ = { permission: 'template.read' } as const
export const WRITE = { permission: 'template.write' } as const
export const DELETE = { permission: 'template.delete' } as const
