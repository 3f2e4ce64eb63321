import { Buffer } from 'node:buffer'

/** A page that does nothing but lead on is shorter. */
const HEAD_BYTES = 16 * 1024
/** Whoever opens a page that leads on later has time to read it. */
const DELAY_S_MAX = 5
/** HTML Standard, 4.2.5.3: seconds, and an address that may be named and quoted. */
const REFRESH = /^\s*(\d{1,6})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(["']?)(.+)$/is

/** @returns where a page leads as soon as it is open (`<meta http-equiv="refresh">`); undefined of one that stays */
export async function refreshOf(bytes: Uint8Array, url: string): Promise<string | undefined> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString('utf8')
  if (!/http-equiv/i.test(head) || !/refresh/i.test(head)) return undefined
  // Few pages get here, and no other part of the server's own thread needs a parser of HTML.
  const { parseDocument } = await import('./html-document.ts')
  const document = parseDocument(head)
  const isRefresh = (meta: Element) =>
    meta.getAttribute('http-equiv')?.trim().toLowerCase() === 'refresh' && !meta.closest('noscript, template')
  const content = [...document.querySelectorAll('meta[http-equiv]')].find(isRefresh)?.getAttribute('content')
  const [, delay = '', quote = '', rest = ''] = REFRESH.exec(content ?? '') ?? []
  const target = (quote ? rest.split(quote)[0] : rest)?.trim()
  if (!target || Number(delay) > DELAY_S_MAX) return undefined
  return leadsElsewhere(target, document.querySelector('base[href]')?.getAttribute('href') ?? '', url)
}

/** A page that loads itself again, or says where no page is, is read as it stands. */
function leadsElsewhere(target: string, base: string, url: string): string | undefined {
  const from = URL.canParse(base, url) ? new URL(base, url) : new URL(url)
  if (!URL.canParse(target, from)) return undefined
  const next = new URL(target, from)
  next.hash = ''
  return /^https?:$/.test(next.protocol) && next.href !== new URL(url).href ? next.href : undefined
}
