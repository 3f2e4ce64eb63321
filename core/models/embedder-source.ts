import type { EmbedderInfo, OpenEmbedder } from './embedder.ts'

/** Where vectors come from, as it may be written down: no key, and no query of an address, which may hold one. */
export type EmbedderOrigin =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'http'
      readonly url: string
      readonly model: string
      /** Whether the endpoint is told how long vectors are to be. */
      readonly sendsDimensions: boolean
    }

/** Opens embedders beside the configured one, so that vectors of a former model can still be searched. */
export interface EmbedderSource {
  /** Where the configured embedder's vectors come from. */
  readonly configured: EmbedderOrigin
  /**
   * Opens an embedder by what was written down of it. Nothing is asked of an endpoint yet. The caller closes it.
   * @throws Error when this process cannot have that very model: its machine runs the local one in another form
   */
  open(origin: EmbedderOrigin, known: EmbedderInfo): Promise<OpenEmbedder>
}
