import { definePlugin, ok, type Plugin, type Route, routesOf, type Task, Type } from 'mneme/plugin'

/** Makes a plugin without a fault, but for `parts`. */
export function plugin(id: string, parts: Record<string, unknown> = {}): Plugin {
  const whole = { id, version: '1.0.0', apiVersion: 1, setup: () => ({ scope: null }), ...parts }
  return whole as unknown as Plugin
}

/** Makes a route without a fault, but for `parts`. */
export function route(path: string, parts: Record<string, unknown> = {}): Route {
  const whole = {
    method: 'GET',
    path,
    access: 'anyKey',
    summary: 'Answer',
    responses: { 200: Type.Object({}) },
    handle: () => ok({}),
    ...parts,
  }
  return whole as unknown as Route
}

export function task(name: string, parts: Record<string, unknown> = {}): Task {
  return { name, payload: Type.Object({}), run: async () => undefined, ...parts } as unknown as Task
}

export { definePlugin, ok, routesOf, Type }
