import postgres from 'postgres'
import { SESSION_SETTINGS } from './session-settings.ts'

/** Opens the connections of one login. */
export function openConnections(url: string, max: number) {
  return postgres(url, {
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
