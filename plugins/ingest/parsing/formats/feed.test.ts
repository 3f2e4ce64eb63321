import { expect, test } from 'bun:test'
import { chunksOfDocument, encode, textOf } from '../fixtures.test-support.ts'
import { parseHtml } from './html.ts'

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

test('a feed with Media RSS keeps the text of its entries', async () => {
  const rss = `<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Bees</title>
    <item><media:title>A picture</media:title><title>Honey</title><dc:date>2024-05-06</dc:date><media:content url="a.jpg"/>
      <content:encoded></content:encoded><media:description>Of a bee</media:description><description>They fly.</description></item>
    <item><media:title>Alone</media:title><itunes:summary>They sing.</itunes:summary></item></channel></rss>`
  expect(await textOf('HTML', rss)).toBe('Honey\n\n2024-05-06\n\nThey fly.\n\nThey sing.')
})

test('a title of Atom that is HTML is without its marks, and elements with the prefix atom are read', async () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">The &lt;b&gt;hive&lt;/b&gt;</title>
    <entry><title type="html">Honey &amp;amp; &lt;em&gt;wax&lt;/em&gt;</title><atom:summary>Short.</atom:summary></entry>
    <entry><title>a &lt;b&gt; c</title><summary>Two.</summary></entry></feed>`
  expect(await textOf('HTML', atom)).toBe('Honey & wax\n\nShort.\n\na <b> c\n\nTwo.')
  const { title } = await parseHtml(
    { bytes: encode(atom), charset: undefined, isPage: false },
    { nesting: 9, htmlMarks: 99 },
    [],
  )
  expect(title).toBe('The hive')
})
