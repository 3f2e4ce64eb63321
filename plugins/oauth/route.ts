import { type Caller, fail, routesOf } from 'mneme/plugin'
import type { OAuthScope } from './scope.ts'

/** Builds this plugin's routes. */
export const route = routesOf<OAuthScope>()

/** Only people consent, and see to what they consented to: a key could give itself to others. Throws FORBIDDEN. */
export function requirePerson({ kind }: Caller): void {
  if (kind !== 'session') throw fail('FORBIDDEN', { message: 'Only a signed-in account may do this, never a key.' })
}
