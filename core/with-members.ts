/** Returns an object as it is, but for some of its members. */
export function withMembers<T extends object>(target: T, members: { readonly [K in keyof T]?: unknown }): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
