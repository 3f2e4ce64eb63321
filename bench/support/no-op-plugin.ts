import { definePlugin, extend, ok, routesOf, Type } from 'mneme/plugin'
import { memoryFilters, memoryIntake } from 'mneme/plugin/memories'

/** A plugin with a part of every kind that stands in the way of a request or beside it, each of which does nothing. */
export function noOpPlugin(id: string) {
  const kind = `${id}.happened`
  const parameter = `by_${id}`
  return definePlugin({
    id,
    version: '1.0.0',
    apiVersion: 1,
    requires: ['memories'],
    emits: [{ kind, description: 'Something that never happens.', public: false }],
    routes: [
      routesOf<null>()({
        method: 'GET',
        path: `/v1/x/${id}/nothing`,
        access: 'anyKey',
        summary: 'Do nothing',
        responses: { 200: Type.Object({}) },
        handle: () => ok({}),
      }),
    ],
    subscriptions: [{ event: kind, name: 'hear', handle: async () => undefined }],
    tasks: [{ name: `${id}:rest`, payload: Type.Object({}), run: async () => undefined }],
    setup: () => ({
      scope: null,
      healthChecks: [{ name: `${id}:rests`, check: async () => undefined }],
      extensions: [
        extend(memoryIntake, { id, review: (_, memories) => memories.map(() => undefined) }),
        extend(memoryFilters, {
          id,
          parameters: Type.Object({ [parameter]: Type.Optional(Type.String({ description: 'Lets all pass.' })) }),
          passing: () => undefined,
        }),
      ],
    }),
  })
}
