/** Makes a promise and its resolver, for work that must wait until a test lets it go on. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}
