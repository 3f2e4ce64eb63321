/** Holds what tests opened, to be closed in reverse once they are done. All files of a process share this module. */
const closers: (() => Promise<void>)[] = []
const made = new Map<string, Promise<unknown>>()

/** Has it closed at the end of the run, or of the file where the runner says that files share nothing (see `preload.ts`). */
export function onEnd(closer: () => Promise<void>): void {
  closers.push(closer)
}

export async function closeAll(): Promise<void> {
  made.clear()
  for (const closer of closers.splice(0).reverse()) await closer()
}

/** Makes one value, when it is first asked for, for as long as it is not closed. */
export function oncePerRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const known = made.get(name) as Promise<T> | undefined
  if (known) return known
  const value = make()
  made.set(name, value)
  return value
}
