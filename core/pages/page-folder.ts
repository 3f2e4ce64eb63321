/** A folder of static files that a plugin serves to everybody: a page with its scripts, styles and images. */
export interface PageFolder {
  /**
   * Served at this path, without a slash at the end: `/console`. A third party's is `/x/<id>` or below. `index.html`
   * stands for the path itself and for folders inside it.
   */
  readonly path: string
  /** `new URL('./public/', import.meta.url)`; must exist when the service starts. */
  readonly folder: URL
  /** This page of the folder serves addresses which the page makes up itself in the browser: `index.html`. */
  readonly fallback?: string
  /** Browsers that ask for `/` are led here. Of built-in plugins only, and of one page. */
  readonly isHome?: boolean
}

/** Sent with every response below the path of a page. Scripts, styles and requests are confined to the service itself. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'self'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** The path of the page that people begin with. */
export function homeOf(plugins: readonly { readonly pages?: readonly PageFolder[] }[]): string | undefined {
  return plugins.flatMap(({ pages = [] }) => pages).find(({ isHome }) => isHome)?.path
}

/** Tells whether a path is the prefix itself or lies below it. */
export function isWithin(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`)
}
