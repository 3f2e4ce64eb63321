import { administration, BoundedCache, bind, DAY_MS, definePlugin, PLUGIN_API_VERSION } from 'mneme/plugin'
import { addressesOf, challengeOf } from './addresses.ts'
import { signInOfApplications } from './contract.ts'
import { oauthErrors } from './errors.ts'
import { oauthEvents } from './events.ts'
import type { Connection } from './queries/connections.ts'
import { recogniseTokens } from './recognise.ts'
import { createConnectionRoute } from './routes/create-connection.ts'
import { describeRequestRoute } from './routes/describe-request.ts'
import { listConnectionsRoute } from './routes/list-connections.ts'
import { resourceMetadataRoutes, serverMetadataRoute } from './routes/metadata.ts'
import { registerRoute } from './routes/register.ts'
import { removeConnectionRoute } from './routes/remove-connection.ts'
import { revokeRoute, tokenRoute } from './routes/token.ts'
import type { OAuthScope } from './scope.ts'
import { createSigner } from './signer.ts'

/** They are kept for less than five seconds, so that what another server changed holds here within that time. */
const KNOWN = { name: 'oauth.connections', max: 5_000, maxBytes: 16 * 1024 ** 2, ttlMs: 4000 }

/** Lets applications that speak MCP in without a key, once an account has consented (OAuth 2.1). */
export const oauthPlugin = definePlugin({
  id: 'oauth',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  uses: [administration],
  provides: [signInOfApplications],
  migrations: new URL('./sql/', import.meta.url),
  errors: oauthErrors,
  emits: oauthEvents,
  subjects: [{ table: 'oauth.connection', column: 'user_id' }],
  retention: [{ table: 'oauth.connection', column: 'expires_at', keepMs: DAY_MS }],
  routes: [
    serverMetadataRoute,
    ...resourceMetadataRoutes,
    registerRoute,
    tokenRoute,
    revokeRoute,
    describeRequestRoute,
    listConnectionsRoute,
    createConnectionRoute,
    removeConnectionRoute,
  ],
  setup({ database, events, wiring }) {
    const lent = wiring.use(administration)
    const scope: OAuthScope = {
      administration: lent,
      database,
      events,
      wiring,
      signer: createSigner(lent.accessTokens.keys),
      known: new BoundedCache<Connection>({ ...KNOWN, bytesOf: connection => 2 * JSON.stringify(connection).length }),
    }
    lent.accessTokens.recognise(recogniseTokens(scope))
    const challenge = (request: Request) => challengeOf(addressesOf(lent, request), request)
    return { scope, ports: [bind(signInOfApplications, { challenge })] }
  },
})
