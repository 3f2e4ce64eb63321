/** Work in steps: `yield` marks where it may be interrupted, the return value is its result. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does the work at one go. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
