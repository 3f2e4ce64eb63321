/**
 * Returns path and query of a request as sent. They are cut from the text, since a client's Host header can make the
 * address as a whole unreadable.
 */
export function targetOf({ url }: Request): { path: string; query: string } {
  const afterHost = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const [target = ''] = afterHost.split('#')
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
