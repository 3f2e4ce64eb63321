import type { Administration, BoundedCache, Database, EventPublisher, PermissionCatalogue, Wiring } from 'mneme/plugin'
import type { Connection } from './queries/connections.ts'
import type { Signer } from './signer.ts'

/** Routes are called with this. */
export interface OAuthScope {
  readonly administration: Administration
  readonly database: Database
  readonly events: EventPublisher
  readonly wiring: Wiring
  readonly signer: Signer
  /** Connections that requests have used lately, by workspace and id. */
  readonly known: BoundedCache<Connection>
}

/** No tool does what these allow, so nobody is asked for them. */
const NOT_FOR_TOOLS: ReadonlySet<string> = new Set([
  'user.delete',
  'export.read',
  'export.write',
  'knowledge.write',
  'knowledge.delete',
])

/** An application asks for permissions of these: those that make sense for one user's things, and that tools need. */
export function scopesOf(catalogue: PermissionCatalogue): ReadonlySet<string> {
  return new Set([...catalogue.ofSubjects()].filter(name => !NOT_FOR_TOOLS.has(name)))
}
