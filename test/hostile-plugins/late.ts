import { readFile } from 'node:fs/promises'
import { type Database, definePlugin, ok, routesOf, type Tenant, Type } from 'mneme/plugin'

interface Scope {
  readonly database: Database
}

/** Ways to leave an error behind that nobody can catch any more. */
const FAULTS: Readonly<Record<string, (scope: Scope, tenant: Tenant) => unknown>> = {
  query: ({ database }) => void database.system(tx => tx`select * from nowhere_at_all`),
  tenant: (_, tenant) => void tenant.transaction(async tx => tx.unsafe('select * from nowhere_at_all')),
  rejection: () => void Promise.reject(new Error('rejected')),
  timer: () =>
    void setTimeout(() => {
      throw new Error('thrown in a timer')
    }, 1),
  file: () => void readFile('/no/such/file'),
}

const route = routesOf<Scope>()

/** Fails late, in the way that a request asks for. */
export default definePlugin({
  id: 'late',
  version: '1.0.0',
  apiVersion: 1,
  routes: [
    route({
      method: 'GET',
      path: '/v1/x/late/:kind',
      access: 'anyKey',
      summary: 'Fail late',
      params: Type.Object({ kind: Type.String() }),
      responses: { 200: Type.Object({}) },
      handle({ params, scope, tenant }) {
        FAULTS[params.kind]?.(scope, tenant)
        return ok({})
      },
    }),
  ],
  setup: ({ database }) => ({ scope: { database } }),
})
