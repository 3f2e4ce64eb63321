/** Work in steps yields where it may be interrupted, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does the work without interruption. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
