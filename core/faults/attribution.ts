import { AsyncLocalStorage } from 'node:async_hooks'

/** Carries the id of the plugin whose code runs through every await, timer and callback that it starts. */
const running = new AsyncLocalStorage<string>()

/** Remembers which plugin an error was caught for, so that one which nobody awaits can still be traced back. */
const blamed = new WeakMap<object, string>()

/** Runs a plugin's code, so that faults which show later, when nobody awaits them any more, are traced back to it. */
export function asPlugin<T>(id: string, work: () => T): T {
  return running.run(id, work)
}

/** Returns the plugin on whose behalf this code runs, if any. */
export function runningPlugin(): string | undefined {
  return running.getStore()
}

/**
 * Notes for which plugin a service of the kernel failed. Bun 1.4 calls the handlers of unhandled rejections without the
 * context of the promise, so an error that leaves the kernel carries its plugin along.
 */
export function blame(error: unknown, id = runningPlugin()): void {
  if (id !== undefined && typeof error === 'object' && error !== null && !blamed.has(error)) blamed.set(error, id)
}

/** Returns the plugin that was noted for an error or one of its causes. */
export function blamedFor(error: unknown): string | undefined {
  for (let link = error, depth = 0; typeof link === 'object' && link !== null && depth < 5; depth++) {
    const id = blamed.get(link)
    if (id !== undefined) return id
    link = Reflect.get(link, 'cause')
  }
  return undefined
}
