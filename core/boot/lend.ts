import { blame, runningPlugin } from '../faults/attribution.ts'

/**
 * Restricts a service for plugins to the listed members, which they use and cannot change or end for others.
 * @param members methods and values that plugins may have; all others are the kernel's
 */
export function lend<T extends object, K extends keyof T & string>(
  name: string,
  service: T,
  members: readonly K[],
): Readonly<Pick<T, K>> {
  const refuse = (): never => {
    throw new TypeError(`${name} is shared by all plugins and may not be changed; wrap it in an object of your own`)
  }
  const lent = Object.freeze(
    Object.defineProperties({}, Object.fromEntries(members.map(key => [key, member(service, key)]))),
  )
  return new Proxy(lent as Readonly<Pick<T, K>>, {
    get(target, key) {
      if (
        !Object.hasOwn(target, key) &&
        typeof Reflect.get(service, key) === 'function' &&
        !(key in Object.prototype)
      ) {
        throw new TypeError(`${name}.${String(key)}() is the kernel's to call: ${name} is shared by all plugins`)
      }
      return Reflect.get(target, key)
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
  })
}

/** A method is the same function each time; a value is read each time, since it may change in the service. */
function member<T extends object>(service: T, key: keyof T & string): PropertyDescriptor {
  const value: unknown = service[key]
  if (typeof value !== 'function') return { enumerable: true, get: () => service[key] }
  const method = (...args: unknown[]): unknown => {
    const result: unknown = Reflect.apply(value, service, args)
    return result instanceof Promise ? blaming(result) : result
  }
  return { enumerable: true, value: method }
}

/** A failure is noted for the plugin that called, in case it does not await it. */
async function blaming(result: Promise<unknown>): Promise<unknown> {
  const plugin = runningPlugin()
  try {
    return await result
  } catch (error) {
    blame(error, plugin)
    throw error
  }
}
