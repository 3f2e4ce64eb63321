import postgres from 'postgres'
import { SESSION_SETTINGS } from './session-settings.ts'

/** Hosters and other clients put these into an address. The driver would send them to the server, which knows no such settings. */
const OF_CLIENTS = ['channel_binding', 'gssencmode', 'pgbouncer']

/** Leaves out of a database's address what is meant for other clients. */
export function serverUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  const given = OF_CLIENTS.filter(name => parsed.searchParams.has(name))
  for (const name of given) parsed.searchParams.delete(name)
  return given.length === 0 ? url : parsed.href
}

/** Opens the connections of one login. */
export function openConnections(url: string, max: number) {
  return postgres(serverUrl(url), {
    max,
    connect_timeout: 5,
    // The driver's own back-off reaches seconds, which a database that is back again need not wait for.
    backoff: () => 0.25,
    idle_timeout: 60,
    max_lifetime: 60 * 30,
    // Types come from OIDs we know; asking the catalogue for array types would cost a round trip per connection.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'mneme', ...SESSION_SETTINGS },
    types: { bigint: int8AsNumber },
  })
}

// Counts and sizes here stay far below 2^53, and JSON has no bigint.
const int8AsNumber = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
}
