import postgres from 'postgres'
import { readAddress } from './address.ts'

/** Opens the connections of one login. Throws AddressError. */
export function openConnections(url: string, max: number) {
  const { host, port, user, password, database, ssl, applicationName, connectTimeoutSeconds, options } =
    readAddress(url)
  const settings = {
    user,
    password,
    database,
    ssl,
    max,
    connect_timeout: connectTimeoutSeconds,
    // The driver's own back-off reaches seconds, which a database that is back again need not wait for.
    backoff: () => 0.25,
    idle_timeout: 60,
    max_lifetime: 60 * 30,
    // Types come from OIDs we know; asking the catalogue for array types would cost a round trip per connection.
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: applicationName, options },
    types: { bigint: int8AsNumber },
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : {}),
  }
  // The driver takes lists as they are, which its types do not know. It would cut an IPv6 address at its colons otherwise.
  const lists: object = { host: [host], port: [port] }
  return postgres({ ...settings, ...lists })
}

// Counts and sizes here stay far below 2^53, and JSON has no bigint.
const int8AsNumber = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
}
