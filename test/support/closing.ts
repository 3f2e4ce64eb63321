/**
 * Collects resources that tests opened, to be closed in reverse once all of them are done. They are kept on the global
 * object, since each test file has its own modules.
 */
const KEY = Symbol.for('mneme.test.closing')

type Closer = () => Promise<void>

function closers(): Closer[] {
  const known: unknown = Reflect.get(globalThis, KEY)
  if (Array.isArray(known)) return known
  const list: Closer[] = []
  Reflect.set(globalThis, KEY, list)
  return list
}

export function onEnd(closer: Closer): void {
  closers().push(closer)
}

export async function closeAll(): Promise<void> {
  for (const closer of closers().splice(0).reverse()) await closer()
}

/** Makes one value for the whole test run, when it is first asked for. */
export function oncePerRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const key = Symbol.for(`mneme.test.${name}`)
  const known = Reflect.get(globalThis, key) as Promise<T> | undefined
  if (known) return known
  const made = make()
  Reflect.set(globalThis, key, made)
  return made
}
