import { expect, test } from 'bun:test'
import { chunksOfDocument, textOf } from '../fixtures.test-support.ts'

test('a feed in RSS is read entry by entry, each under its title with its date, its address and its fullest content', async () => {
  const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
    <title>Bees</title><link>https://a.example/</link>
    <item><title>Honey &amp; wax</title><link>https://a.example/1</link><pubDate>Mon, 06 May 2024</pubDate>
      <description>Short.</description><content:encoded><![CDATA[<p>The <b>bees</b> fly.</p>]]></content:encoded></item>
    <item><title>Meadows</title><description>&lt;p&gt;They bloom.&lt;/p&gt;</description></item></channel></rss>`
  expect(await textOf('HTML', rss, { isPage: true })).toBe(
    'Honey & wax\n\nMon, 06 May 2024\nhttps://a.example/1\n\nThe bees fly.\n\nMeadows\n\nThey bloom.',
  )
})

test('a feed in Atom is read with content of XHTML, HTML or plain text', async () => {
  const entry = (type: string, content: string) =>
    `<entry><title>Of ${type}</title><link rel="self" href="https://a.example/f"/><link href="https://a.example/${type}"/><content type="${type}">${content}</content></entry>`
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Bees</title>${entry('xhtml', '<div><p>One<br/>two</p></div>')}${entry('html', '&lt;i&gt;three&lt;/i&gt;')}${entry('text', 'a &lt; b')}</feed>`
  expect(await textOf('HTML', atom)).toBe(
    'Of xhtml\n\nhttps://a.example/xhtml\n\nOne\ntwo\n\nOf html\n\nhttps://a.example/html\n\nthree\n\nOf text\n\nhttps://a.example/text\n\na < b',
  )
  const [chunk] = await chunksOfDocument('HTML', `${atom.slice(0, atom.indexOf('</entry>'))}</entry></feed>`)
  expect(chunk?.headingPath).toEqual(['Of xhtml'])
})
