import { routesOf } from 'mneme/plugin'
import type { OAuthScope } from './scope.ts'

/** Builds this plugin's routes. Only people consent, and see to what they consented to: a key could give itself to others. */
export const route = routesOf<OAuthScope>()
