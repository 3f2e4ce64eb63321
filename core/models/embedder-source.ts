import type { EmbedderInfo, OpenEmbedder } from './embedder.ts'

/**
 * Says where vectors come from in a form that may be stored: without a key, and without an address's query, which may
 * hold one.
 */
export type EmbedderOrigin =
  | { readonly kind: 'local' }
  | {
      readonly kind: 'http'
      readonly url: string
      readonly model: string
      /** Tells whether requests give the endpoint the length of vectors. */
      readonly sendsDimensions: boolean
    }

/** Opens embedders beside the configured one, so that vectors of a former model can still be searched. */
export interface EmbedderSource {
  /** The source of the configured embedder's vectors. */
  readonly configured: EmbedderOrigin
  /**
   * Opens an embedder by its stored source. Nothing is sent to an endpoint yet. The caller closes it.
   * @throws Error when this process cannot have that very model: its machine runs the local one in another form
   */
  open(origin: EmbedderOrigin, known: EmbedderInfo): Promise<OpenEmbedder>
}
