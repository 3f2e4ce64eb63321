/**
 * A service as plugins get it: they call it, and cannot change it or end it for everybody else.
 * @param withheld methods that only the kernel may call, such as `close`
 */
export function lend<T extends object>(name: string, service: T, withheld: readonly string[] = ['close']): T {
  const methods = new Map<PropertyKey, unknown>()
  const refuse = (): never => {
    throw new TypeError(`${name} is shared by all plugins and may not be changed; wrap it in an object of your own`)
  }
  return new Proxy(service, {
    get(target, key) {
      const known = methods.get(key)
      if (known !== undefined) return known
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      const method = withheld.includes(String(key)) ? () => withhold(name, String(key)) : value.bind(target)
      methods.set(key, method)
      return method
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
  })
}

function withhold(name: string, method: string): never {
  throw new TypeError(`${name}.${method}() is the kernel's to call: ${name} is shared by all plugins`)
}
