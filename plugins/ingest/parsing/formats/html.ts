import { Readability } from '@mozilla/readability'
import type { Block, FileContent } from '../../document/document.ts'
import { opensAsFeed } from '../../document/opening.ts'
import { charsetInside, decodeText, requireText } from '../charset.ts'
import type { ParsingLimits } from '../limits.ts'
import { parseFeed } from './feed.ts'
import { blocksIn, type Shown } from './html-blocks.ts'
import { parseDocument } from './html-document.ts'
import { requireMarkup } from './html-markup.ts'

/** An article that is less of its page than this was not recognised for what it is. */
const ARTICLE_SHARE_MIN = 0.25
const ARTICLE_CHARS_MIN = 300

/** HTML: of a page of the web the article, where there is one; of a file all that it shows; of a feed its entries. */
export async function parseHtml(
  { bytes, charset, isPage }: Pick<FileContent, 'bytes' | 'charset' | 'isPage'>,
  limits: Pick<ParsingLimits, 'nesting' | 'htmlMarks'>,
  warnings: string[],
): Promise<{ title: string | undefined; blocks: Generator<Block> }> {
  const html = requireText(await decodeText(bytes, [charset, charsetInside(bytes)], warnings), 'HTML')
  requireMarkup(html, limits.htmlMarks)
  if (opensAsFeed(html)) return parseFeed(html, limits.nesting)
  const document = parseDocument(html)
  const title = titleOf(document)
  if (isPage) {
    const article = articleOf(html, document)
    if (article) return { title: article.title || title, blocks: blocksIn(article.root, limits.nesting) }
  }
  return { title, blocks: blocksIn(document.body, limits.nesting) }
}

/** A fragment of HTML within another document. */
export function parseHtmlPart(html: string, shown: Shown = {}): Generator<Block> {
  return blocksIn(parseDocument(html).body, 256, shown)
}

/** Titles in the body are those of pictures (SVG). */
function titleOf(document: Document): string | undefined {
  const title = document.head.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent
  return title?.replace(/\s+/g, ' ').trim() || undefined
}

interface Article {
  readonly title: string | undefined
  readonly root: Element
}

/** The text of a page without what stands in its body for programs alone. */
function shownLength(body: Element): number {
  const hidden = [...body.querySelectorAll('script, style, template, noscript')]
  const lengthOf = (element: Element) => element.textContent?.trim().length ?? 0
  return hidden.reduce((length, element) => length - lengthOf(element), lengthOf(body))
}

function articleOf(html: string, document: Document): Article | undefined {
  const whole = shownLength(document.body)
  // It takes the document apart, so it gets one of its own.
  const copy = parseDocument(html)
  const article = new Readability(copy, { keepClasses: false }).parse()
  const length = article?.textContent?.trim().length ?? 0
  if (!article?.content || length < ARTICLE_CHARS_MIN || length < whole * ARTICLE_SHARE_MIN) return undefined
  return { title: article.title?.trim() || undefined, root: parseDocument(article.content).body }
}
