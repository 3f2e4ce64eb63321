import { describe, expect, test } from 'bun:test'
import { longestNames, possibleNames } from './spotting.ts'

const found = (text: string) => possibleNames(text).map(name => name.normal)

describe('what could be a name in a text', () => {
  test('is each stretch of words, with and without what a genitive adds', () => {
    expect(found("Where is Anna Lind's dog?")).toEqual(
      expect.arrayContaining(['anna lind', "anna lind's dog", 'anna', 'dog']),
    )
    expect(found('Annas Hund')).toContain('anna')
    expect(found("le chien d'Anna")).toContain('anna')
    expect(found('C++ or Node.js?')).toEqual(expect.arrayContaining(['c++', 'node.js']))
  })

  test('is no function word in small letters, and nothing across a comma', () => {
    expect(found('where will it be')).not.toContain('will')
    expect(found('where does Will live')).toContain('will')
    expect(found('Anna, Bob')).toEqual(['anna', 'bob'])
  })

  test('is found in scripts without spaces', () => {
    expect(found('田中さんはどこに住んでいますか')).toContain('田中')
  })

  test('has a bound', () => {
    expect(possibleNames('word '.repeat(500)).length).toBeLessThan(10)
    expect(possibleNames(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ')).length).toBeLessThanOrEqual(400)
  })

  test('gives way to a longer one around it', () => {
    const names = possibleNames('New York Times').filter(({ normal }) =>
      ['new york', 'new york times'].includes(normal),
    )
    expect(longestNames(names).map(({ normal }) => normal)).toEqual(['new york times'])
  })
})
