import { AsyncLocalStorage } from 'node:async_hooks'

/** The id of the plugin whose code runs, through every await, timer and callback that it starts. */
const running = new AsyncLocalStorage<string>()

/** Plugins that errors were caught for, so that one which nobody awaits can still be named. */
const blamed = new WeakMap<object, string>()

/** Runs a plugin's code; faults that show later, when nobody waits any more, are traced back to it. */
export function asPlugin<T>(id: string, work: () => T): T {
  return running.run(id, work)
}

/** The plugin on whose behalf this code runs, if any. */
export function runningPlugin(): string | undefined {
  return running.getStore()
}

/**
 * Notes for whom a service of the kernel failed. Bun 1.4 calls the handlers of unhandled rejections without the context of
 * the promise, so an error that leaves the kernel carries its plugin along.
 */
export function blame(error: unknown, id = runningPlugin()): void {
  if (id !== undefined && typeof error === 'object' && error !== null && !blamed.has(error)) blamed.set(error, id)
}

/** The plugin that was noted for an error or one of its causes. */
export function blamedFor(error: unknown): string | undefined {
  for (let link = error, depth = 0; typeof link === 'object' && link !== null && depth < 5; depth++) {
    const id = blamed.get(link)
    if (id !== undefined) return id
    link = Reflect.get(link, 'cause')
  }
  return undefined
}
