import manifest from '../package.json' with { type: 'json' }

/** The product's version, as released. */
export const VERSION: string = manifest.version
