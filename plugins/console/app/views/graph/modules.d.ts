/** A module that the build puts into a file of its own; this is its name. */
declare module '*.worker.ts?url' {
  const name: string
  export default name
}
