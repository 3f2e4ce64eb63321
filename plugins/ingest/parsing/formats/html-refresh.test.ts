import { describe, expect, test } from 'bun:test'
import { encode } from '../fixtures.test-support.ts'
import { refreshOf } from './html-refresh.ts'

const from = (head: string, body = '<p>Click here</p>') =>
  refreshOf(encode(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`), 'https://a.example/docs/')
const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`

describe('a page leads on', () => {
  test.each([
    ['0; url=/new', 'https://a.example/new'],
    ['0;URL=en/', 'https://a.example/docs/en/'],
    ["3 ; url = 'https://b.example/x?a=1&amp;b=2#c'", 'https://b.example/x?a=1&b=2'],
    ['0, other', 'https://a.example/docs/other'],
  ])('by %s', async (content, url) => {
    expect(await from(refresh(content))).toBe(url)
  })

  test('from its base', async () => {
    expect(await from(`<base href="/v2/">${refresh('0; url=start')}`)).toBe('https://a.example/v2/start')
  })
})

test.each([
  ['a page that is loaded again', refresh('300')],
  ['a page that leads to itself', refresh('0; url=https://a.example/docs/#top')],
  ['a page that is shown for some time', refresh('30; url=/next')],
  ['a page that leads to no page', refresh('0; url=file:///etc/passwd')],
  ['a page for browsers without scripts', `<noscript>${refresh('0; url=/plain')}</noscript>`],
  ['a comment', `<!-- ${refresh('0; url=/plain')} -->`],
  ['another page', '<meta http-equiv="content-type" content="text/html"><title>To refresh</title>'],
])('%s stays', async (_, head) => {
  expect(await from(head)).toBeUndefined()
})
