import { describe, expect, test } from 'bun:test'
import { parseHTML } from 'linkedom'
import { chunksOfDocument, faultOf, textOf } from './fixtures.test-support.ts'
import { parseHtml } from './formats/html.ts'
import { rowsOf } from './formats/html-table.ts'

const LIMITS = { nesting: 256, htmlMarks: 10_000 }
const utf8 = (text: string) => new TextEncoder().encode(text)

describe('HTML', () => {
  test('of tables in tables, as of newsletters, is read once however deep they lie', async () => {
    const levels = 40
    const html = `${'<table><tr><td>'.repeat(levels)}Ghent${'</td></tr></table>'.repeat(levels)}`
    expect(await textOf('HTML', html)).toBe('Ghent')
    const { document } = parseHTML(
      '<table><tr><td>a</td><td><table><tr><td>b</td></tr></table></td></tr><tr><td>c</td></tr></table>',
    )
    let reads = 0
    const text = () => String(reads++)
    expect(rowsOf(document.querySelector('table') as Element, { text, isHidden: () => false })).toBeUndefined()
    expect(reads).toBe(0)
  })

  test('is what it shows: no scripts, no hidden parts; lists, tables and breaks as they are', async () => {
    const text = await textOf(
      'HTML',
      `<style>p{}</style><script>alert(1)</script><p hidden>secret</p><h2>Towns</h2><p>One<br>two &amp; th<b>ree</b></p>
       <ol start=4><li>four<ul><li>below</li></ul></li></ol><table><tr><th>Town<th>River<tr><td>Ghent<td>Leie</table>`,
    )
    expect(text).toBe('Towns\n\nOne\ntwo & three\n4. four\n  - below\nTown: Ghent; River: Leie')
  })

  test('keeps the words of cells, headings and listings apart, and leaves out what they hide', async () => {
    const text = await textOf(
      'HTML',
      `<h1>Title<br>Sub<script>x()</script></h1>
       <table><tr><th>Town<th><p>Rivers</p><p>and seas</p><tr><td>Berlin<br>Hamburg<td><span style="display:none">0001</span><ul><li>Spree</li><li>Elbe</li></ul><img alt="North Sea"></table>
       <pre><button>Copy</button>let a<br>let b<div>let c</div>let d</pre>`,
    )
    expect(text).toBe(
      'Title Sub\n\nTown: Berlin Hamburg; Rivers and seas: Spree Elbe North Sea\n\nlet a\nlet b\nlet c\nlet d',
    )
  })

  test('numbers the items of lists as a browser does, of any length', async () => {
    const todo =
      '<ul><li><input type="checkbox" disabled checked> Call Bob<li><input type="checkbox" disabled> Write</ul>'
    expect(await textOf('HTML', `<input type="checkbox">${todo}`)).toBe('- [x] Call Bob\n- [ ] Write')
    expect(await textOf('HTML', '<ol start=0><li>a<li>b<li value=7>c<li>d</ol>')).toBe('0. a\n1. b\n7. c\n8. d')
    const text = await textOf('HTML', `<ol>${'<li>an item of the list'.repeat(20_000)}</ol>`)
    expect(text).toEndWith('20000. an item of the list')
  })

  test('has sentences in one piece, whatever elements are within them', async () => {
    for (const tag of ['nobr', 'output', 'x-term', 'picture', 'rb', 'data']) {
      expect(await textOf('HTML', `<p>The <${tag}>gate</${tag}> is open.</p>`)).toBe('The gate is open.')
    }
    expect(await textOf('HTML', '<p>So <math><mi>E</mi><mo>=</mo><mi>m</mi></math> holds.</p>')).toBe('So E=m holds.')
    expect(await textOf('HTML', '<details><summary>One</summary>Two</details><center>Three</center>')).toBe(
      'One\n\nTwo\n\nThree',
    )
  })

  test.each([
    ['<mfrac><mn>1</mn><mn>2</mn></mfrac>', '1/2'],
    ['<mfrac>\n <mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>\n <mn>2</mn>\n</mfrac>', '(a+b)/2'],
    ['<msup><mn>10</mn><mn>6</mn></msup><msub><mi>x</mi><mn>1</mn></msub>', '10^6x_1'],
    ['<mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>m</mi><msup><mrow></mrow><mn>2</mn></msup>', '1 1/2m^2'],
    ['<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>', '∑_(i=1)^n'],
    ['<msqrt><mn>2</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>', '√2x^(1/3)'],
    [
      '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>',
      '1 2; 3',
    ],
    ['<mn>1</mn><mn hidden>2</mn><mo>+</mo><mtext>a<script>b</script></mtext>', '1+a'],
    [
      '<semantics><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation encoding="application/x-tex">\\frac{1}{2}</annotation></semantics>',
      '\\frac{1}{2}',
    ],
  ])('with the formula %s has it as %s', async (formula, text) => {
    expect(await textOf('HTML', `<p>So <math>${formula}</math>.</p>`)).toBe(`So ${text}.`)
    expect(await textOf('HTML', `<pre>So <math>${formula}</math>.</pre>`)).toBe(`So ${text}.`)
  })

  test('has the alternative text of a formula, and refuses one that is nested without end', async () => {
    expect(await textOf('HTML', '<math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>')).toBe('x^2')
    expect(await faultOf('HTML', `<math>${'<mrow>'.repeat(5000)}`)).toBe('LIMIT_EXCEEDED')
  })

  test('has nothing of what waits to be opened, and of what only browsers without frames show', async () => {
    const html = [
      '<!doctype html><frameset><frame src="a"><noframes>No frames here.</noframes></frameset><p>Shown.</p>',
      '<dialog><p>Closed.</p></dialog><dialog open><p>Open.</p></dialog><div popover><p>Pops.</p></div>',
      '<details><summary>More</summary><p>Folded.</p></details>',
    ].join('')
    expect(await textOf('HTML', html)).toBe('Shown.\n\nOpen.\n\nMore\n\nFolded.')
  })

  test('keeps a raised number apart from the one before it', async () => {
    const html =
      '<p>10<sup>6</sup> m<sup>2</sup>, 10<sup>−9</sup>, CO<sub>2</sub>, 11<sub>2</sub>, 5<sup>th</sup>, 1990<sup>[3]</sup>, words<sup>7</sup></p>'
    const read = '10^6 m2, 10^−9, CO2, 11_2, 5th, 1990[3], words^7'
    expect(await textOf('HTML', html)).toBe(read)
    expect(await textOf('MARKDOWN', html.replace(/^<p>|<.p>$/g, ''))).toBe(read)
  })

  test('has words without the readings above them', async () => {
    const ruby = '<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>'
    expect(await textOf('HTML', `<p>私は${ruby}都で<ruby>食<rt>た</rt></ruby>べる。</p>`)).toBe('私は東京都で食べる。')
    expect(await textOf('HTML', '<ruby><rb>漢</rb><rb>字</rb><rtc><rt>kan</rt><rt>ji</rt></rtc></ruby>')).toBe('漢字')
  })

  test('has the line breaks of br alone, and none within words of a script without spaces', async () => {
    expect(await textOf('HTML', '<p>One\n  two<br>\nthree\n<b>four</b>')).toBe('One two\nthree four')
    expect(await textOf('HTML', '<p>私は東\n京都に\n<b>住</b>んで\n</p>')).toBe('私は東京都に住んで')
    expect(await textOf('HTML', '<p><a>東京</a>\n<a>大阪</a> <b>京都</b>')).toBe('東京 大阪 京都')
    expect(await textOf('HTML', '<p><b>見出し</b>\n  本文は\n続く')).toBe('見出し 本文は続く')
    expect(await textOf('HTML', '<p>한국어\n문장</p><pre>a\n  b</pre>')).toBe('한국어 문장\n\na\n  b')
  })

  test('shows what it hides from screen readers alone, but for signs and second drawings of formulas', async () => {
    const tex = '{\\displaystyle E=mc^{2}}'
    const formula = `<span><span style="display: none;"><math><mi>E</mi></math></span><img aria-hidden="true" alt="${tex}"></span>`
    expect(await textOf('HTML', `<p>It is ${formula} that holds.</p>`)).toBe(`It is ${tex} that holds.`)
    const price = '<h2>Price <a aria-hidden="true" href="#p">#</a></h2><p><span aria-hidden="true">20 EUR</span>'
    expect(await textOf('HTML', price)).toBe('Price\n\n20 EUR')
    const drawn =
      '<p><span><math><mi>x</mi><annotation>\\x</annotation></math></span><span aria-hidden="true"><i>x</i></span>'
    expect(await textOf('HTML', drawn)).toBe('x')
  })

  test('leaves closed dialogs, signs and second copies for the eye out', async () => {
    const hidden = [
      '<div role="dialog" aria-hidden="true"><p>Accept all cookies</p></div>',
      '<div aria-hidden="true"><div><div aria-modal="true">Sign up now</div></div></div>',
      '<span>$19.99</span><span aria-hidden="true"><span>$</span> <span>19.99</span></span>',
      ' <i aria-hidden="true">home</i><span class="material-symbols-outlined" aria-hidden="true">arrow_back</span>',
    ]
    expect(await textOf('HTML', `<p>For ${hidden.join('')} a day</p>`)).toBe('For\n\n$19.99 a day')
    const shown = '<p><span style="display:none">20 EUR</span><span aria-hidden="true">20 EUR</span>'
    expect(await textOf('HTML', shown)).toBe('20 EUR')
    const both =
      '<p><b aria-hidden="true">Sold out</b> <b aria-hidden="true">Sold out</b> <b aria-hidden="true">today</b>'
    expect(await textOf('HTML', both)).toBe('Sold out Sold out today')
  })

  test('of a page is its article, however much its scripts hold', async () => {
    const article = Array.from(
      { length: 12 },
      (_, n) => `<p>Paragraph ${n} tells of bees, of honey and of the meadows that they fly to.</p>`,
    )
    const page = `<!-- <html> --><title>Bees</title><div><a href=/>Home</a> <a href=/all>All pages</a></div><article><h1>Bees</h1>${article.join('')}</article>
      <div class="footer">All rights reserved.</div><script>window.data = "${'x'.repeat(20_000)}"</script>`
    const text = await textOf('HTML', page, { isPage: true })
    expect(text).toContain('Paragraph 11 tells')
    expect(text).not.toContain('All pages')
  })

  test.each([
    ['no head', '<html><title>Rivers</title><body><p>One</p><p>Two</p></body></html>'],
    ['no body', '<html><head><title>Rivers</title></head><p>One</p><p>Two</p></html>'],
    ['an open head', '<head><title>Rivers</title><p>One</p><p>Two</p>'],
    ['none of html, head and body', '<!doctype html><meta charset=utf-8><title>Rivers</title><p>One<p>Two'],
    ['a script between head and body', '<html><head><title>Rivers</title></head><script></script><body>One<p>Two'],
    ['text before its body', '<html><title>Rivers</title><p>One</p><body><p>Two</p></body></html>'],
    ['two bodies', '<html><title>Rivers</title><body>One</body><body><p>Two</body></html>'],
    ['text behind its body', '<html><title>Rivers</title><body>One</body><p>Two</p></html>'],
    ['text behind its end', '<html><head><title>Rivers</title></head><body>One</body></html><p>Two</p>'],
  ])('with %s is read as a browser shows it, as a file and as a page', async (_, html) => {
    for (const isPage of [false, true]) {
      const warnings: string[] = []
      const { title, blocks } = await parseHtml({ bytes: utf8(html), charset: undefined, isPage }, LIMITS, warnings)
      expect([title, [...blocks].map(block => 'text' in block && block.text)]).toEqual(['Rivers', ['One', 'Two']])
    }
  })

  test("has no picture's title for its own", async () => {
    const html = '<body><svg><title>Logo</title></svg><h1>Rivers</h1><p>One</p></body>'
    const { title } = await parseHtml({ bytes: utf8(html), charset: undefined, isPage: false }, LIMITS, [])
    expect(title).toBe('Rivers')
  })

  test('is decoded as it says itself', async () => {
    const bytes = Uint8Array.from(
      [...'<meta charset="windows-1251"><p>'].map(c => c.charCodeAt(0)).concat([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    )
    expect(await textOf('HTML', bytes)).toBe('Привет')
    for (const charset of ['utf-8', 'none-such']) expect(await textOf('HTML', bytes, { charset })).toBe('Привет')
  })

  test.each(['<a name=n>', '<a name=n />', '<font size=2>', '<b><i>'])(
    'that leaves %s open a thousand times is read to its end',
    async tag => {
      const lines = Array.from({ length: 1000 }, (_, n) => `Line ${n}`)
      const bytes = utf8(`<body>${lines.map(line => `${tag}${line}<br>`).join('')}`)
      const { blocks } = await parseHtml({ bytes, charset: undefined, isPage: false }, LIMITS, [])
      expect([...blocks]).toEqual([{ kind: 'paragraph', text: lines.join('\n') }])
    },
  )

  test('that nests its elements without end is refused', async () => {
    expect(await faultOf('HTML', '<div>'.repeat(5000))).toBe('LIMIT_EXCEEDED')
  })
})

describe('Markdown', () => {
  test('loses its marks and keeps its structure', async () => {
    const text = await textOf(
      'MARKDOWN',
      '---\ntitle: A page\n---\n\n# One\n\nSome **bold**\ntext with `code`, [a link](http://x).\n\n1. first\n2. second\n\n```\nlet a = 1\n```\n',
    )
    expect(text).toBe(
      'title: A page\n\nOne\n\nSome bold text with code, a link (http://x).\n1. first\n2. second\n\nlet a = 1',
    )
  })
})

test('Markdown has no spaces where its lines break within a script without them', async () => {
  expect(await textOf('MARKDOWN', '私は**東**\n京都に\n住む\\\nbr\nend')).toBe('私は東京都に住む\nbr end')
})

describe('Markdown of notes', () => {
  test('tells what is done, where links go, and keeps broken lines of cells apart', async () => {
    const text = await textOf(
      'MARKDOWN',
      '- [x] Call Bob\n- [ ] Write to [Ada](mailto:ada@example.com)\n\n0. none\n1. one\n\nSee the [dashboard](https://grafana.example.com/d/7), <https://a.example/>, [b.example](https://b.example/), [below](#x).\n\n| Town |\n|---|\n| Berlin<br>Hamburg |\n',
    )
    expect(text).toBe(
      '- [x] Call Bob\n- [ ] Write to Ada (mailto:ada@example.com)\n0. none\n1. one\n\nSee the dashboard (https://grafana.example.com/d/7), https://a.example/, b.example, below.\nTown: Berlin Hamburg',
    )
  })
})

test('Markdown has characters for their names, as they are written in code', async () => {
  expect(await textOf('MARKDOWN', 'Caf&eacute; &mdash; &#x1F375; &copy;&nbsp;2026 &amp;lt; AT&T `&eacute;`')).toBe(
    'Café — 🍵 © 2026 &lt; AT&T &eacute;',
  )
})

test('a paragraph of a Markdown item stays behind the list that it follows', async () => {
  expect(await textOf('MARKDOWN', '- [ ] Pack\n\n  the tent\n  - poles\n  - pegs\n\n  and go.\n- Rest\n')).toBe(
    '- [ ] Pack\nthe tent\n  - poles\n  - pegs\n\nand go.\n- Rest',
  )
})

describe('headings and badges of Markdown', () => {
  test('are without the addresses of their links', async () => {
    const [chunk] = await chunksOfDocument(
      'MARKDOWN',
      '# [Tool](https://x.example)\n\n## [1.2.0](https://x.example/compare/v1.1.0...v1.2.0)\n\n[![build](https://x.example/b.svg)](https://ci.example/1) A fix.\n\n| [Name](https://x.example/n) |\n|---|\n| Ada |\n',
    )
    expect(chunk?.headingPath).toEqual(['Tool', '1.2.0'])
    expect(chunk?.text).toBe('Tool › 1.2.0\n\nbuild A fix.\nName: Ada')
  })
})
