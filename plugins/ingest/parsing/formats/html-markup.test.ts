import { describe, expect, test } from 'bun:test'
import { faultOf } from '../fixtures.test-support.ts'
import { requireMarkup } from './html-markup.ts'

/** The least number of elements and attributes with which a document passes. */
function marksOf(html: string): number {
  for (let marks = 0; ; marks++) {
    try {
      requireMarkup(html, marks)
      return marks
    } catch {}
  }
}

describe('the markup of HTML', () => {
  test.each([
    ['text, 1 < 2 and a comment <!-- b -->', 0],
    ['<p>a</p><br/><br />', 3],
    ['<p class="a b > c" id=d hidden>', 4],
    ["<p a='1'b=\"2\"c = '3 4' / d>", 5],
    ['<p\na\tb\n>', 3],
    ['<a href="never closed <p> <p>', 2],
    ['<a <b', 2],
  ])('%s', (html, marks) => {
    expect(marksOf(html)).toBe(marks)
  })

  test('is counted before a tree is built of it, in pages, feeds and files', async () => {
    const limits = { htmlMarks: 1000 }
    expect(await faultOf('HTML', `<html><body>${'<p>a'.repeat(998)}`, limits)).toBeUndefined()
    expect(await faultOf('HTML', `<html><body>${'<p>a'.repeat(999)}`, limits)).toBe('LIMIT_EXCEEDED')
    expect(await faultOf('HTML', `<html><body><p ${'a '.repeat(1000)}>a`, limits)).toBe('LIMIT_EXCEEDED')
    const feed = `<rss><channel>${'<item><title>a</title></item>'.repeat(600)}</channel></rss>`
    expect(await faultOf('HTML', feed, limits)).toBe('LIMIT_EXCEEDED')
  })
})
