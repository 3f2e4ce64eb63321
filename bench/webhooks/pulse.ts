/** A plugin that does nothing but publish events, so that a benchmark of deliveries measures nothing else. */
import { definePlugin, type Events, ok, routesOf, Type } from 'mneme/plugin'

interface Scope {
  readonly events: Events
}

const route = routesOf<Scope>()
const count = Type.Integer({ description: 'How many.' })
const kinds = ['pulse.beat', 'pulse.stall'] as const

export default definePlugin({
  id: 'pulse',
  version: '1.0.0',
  apiVersion: 1,
  permissions: [{ name: 'Pulse', permissions: { 'pulse.use': 'Publish events.' } }],
  emits: kinds.map(kind => ({ kind, description: 'For a benchmark.', public: true })),
  routes: [
    route({
      method: 'POST',
      path: '/v1/x/pulse/events',
      access: { permission: 'pulse.use' },
      summary: 'Publish events in one transaction',
      body: Type.Object({
        kind: Type.Union(kinds.map(kind => Type.Literal(kind))),
        numbers: Type.Array(Type.Integer()),
      }),
      responses: { 200: Type.Object({ count, committed_at: Type.Number({ description: 'Milliseconds.' }) }) },
      async handle({ body: { kind, numbers }, tenant, scope }) {
        const { workspaceId } = tenant
        await tenant.transaction(tx =>
          scope.events.publish(
            tx,
            numbers.map(number => ({ kind, workspaceId, subjectId: null, userId: null, data: { number } })),
          ),
        )
        return ok({ count: numbers.length, committed_at: Date.now() })
      },
    }),
  ],
  setup: ({ events }) => ({ scope: { events } }),
})
