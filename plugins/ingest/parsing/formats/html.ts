import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Block, SourceDocument } from '../../document/document.ts'
import { htmlOpening } from '../../document/opening.ts'
import { charsetInside, decodeText, requireText } from '../charset.ts'
import type { ParsingLimits } from '../limits.ts'
import { blocksIn } from './html-blocks.ts'

/** An article that is less of its page than this was not recognised for what it is. */
const ARTICLE_SHARE_MIN = 0.25
const ARTICLE_CHARS_MIN = 300

/** HTML: of a page of the web the article, where there is one; of a file all that it shows. */
export async function parseHtml(
  { bytes, charset, isPage }: Pick<SourceDocument, 'bytes' | 'charset' | 'isPage'>,
  limits: Pick<ParsingLimits, 'nesting'>,
  warnings: string[],
): Promise<{ title: string | undefined; blocks: Generator<Block> }> {
  const html = requireText(await decodeText(bytes, charset ?? charsetInside(bytes), warnings), 'HTML')
  const { document } = parseHTML(wrapped(html))
  const title = titleOf(document)
  if (isPage) {
    const article = articleOf(html, document)
    if (article) return { title: article.title || title, blocks: blocksIn(article.root, limits.nesting) }
  }
  return { title, blocks: blocksIn(document.body ?? document.documentElement, limits.nesting) }
}

/** A fragment of HTML within another document. */
export function parseHtmlPart(html: string): Generator<Block> {
  const { document } = parseHTML(wrapped(html))
  return blocksIn(document.body ?? document.documentElement, 256)
}

/** linkedom takes what stands outside of `html` for no part of the document. */
function wrapped(html: string): string {
  return htmlOpening(html).element === 'html' ? html : `<!doctype html><html><head></head><body>${html}</body></html>`
}

function titleOf(document: Document): string | undefined {
  const title = document.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent
  return title?.replace(/\s+/g, ' ').trim() || undefined
}

interface Article {
  readonly title: string | undefined
  readonly root: Element
}

/** The text of a page without what stands in its body for programs alone. */
function shownLength(body: Element | null): number {
  const hidden = [...(body?.querySelectorAll('script, style, template, noscript') ?? [])]
  const lengthOf = (element: Element | null) => element?.textContent?.trim().length ?? 0
  return hidden.reduce((length, element) => length - lengthOf(element), lengthOf(body))
}

function articleOf(html: string, document: Document): Article | undefined {
  const whole = shownLength(document.body)
  // It takes the document apart, so it gets one of its own.
  const copy = parseHTML(wrapped(html)).document
  const article = new Readability(copy, { keepClasses: false }).parse()
  const length = article?.textContent?.trim().length ?? 0
  if (!article?.content || length < ARTICLE_CHARS_MIN || length < whole * ARTICLE_SHARE_MIN) return undefined
  const { body } = parseHTML(wrapped(article.content)).document
  return body ? { title: article.title?.trim() || undefined, root: body } : undefined
}
