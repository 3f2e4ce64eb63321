import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/database.ts'
import { BadQuestions, parseQuestions, readQuestions } from './questions.ts'

const tea = { query: 'which tea?', expected: ['green tea'] }
const filtered = { query: 'who?', expected: [{ metadata: { key: 1 } }], filters: { user_id: 'ada', filter: { a: 1 } } }

function faultOf(content: string): string {
  try {
    parseQuestions(content, 'file')
  } catch (error) {
    if (error instanceof BadQuestions) return error.message
    throw error
  }
  throw new Error('the file was taken')
}

describe('a file of questions', () => {
  test('is a JSON array or an object per line, with or without a byte order mark', () => {
    expect(parseQuestions(JSON.stringify([tea, filtered]), 'file')).toEqual([tea, filtered])
    expect(parseQuestions(`\uFEFF${JSON.stringify(tea)}\r\n\n${JSON.stringify(filtered)}\n`, 'file')).toEqual([
      tea,
      filtered,
    ])
  })

  test('may ask in a thousand characters of any script', () => {
    const long = { ...tea, query: '🍵'.repeat(1000) }
    expect(parseQuestions(JSON.stringify([long]), 'file')).toEqual([long])
    expect(faultOf(JSON.stringify([{ ...tea, query: `${long.query}?` }]))).toContain('at most 1000 characters')
  })

  test('is refused as a whole with a reason', () => {
    expect(faultOf(' ')).toBe('file is empty.')
    expect(faultOf('[]')).toBe('file contains no questions.')
    expect(faultOf('[{]')).toStartWith('file is not JSON: ')
    expect(faultOf(`${JSON.stringify(tea)}\nquery: tea`)).toContain('line 2: is not JSON')
    expect(faultOf(JSON.stringify(Array(10_001).fill(tea)))).toBe('file contains more than 10000 questions.')
  })

  test.each([
    ['text', 'is no object'],
    [{ expected: ['x'] }, 'query is missing'],
    [{ query: ' ', expected: ['x'] }, 'query should be a text that is not blank, at most 1000 characters'],
    [{ query: 'x', expected: [] }, 'expected should be a list of 1 to 100'],
    [{ query: 'x', expected: 'y' }, 'expected should be a list of 1 to 100'],
    [{ query: 'x', expected: [7] }, 'expected.0 should be an id, a text, or an object with one or more of'],
    [{ query: 'x', expected: [{ txt: 'y' }] }, 'expected.0 should be an id, a text, or an object with one or more of'],
    [{ ...tea, filter: {} }, 'filter is not known here'],
    [{ ...tea, filters: { user: 'ada' } }, 'filters.user is not known here'],
    [{ ...tea, filters: { priorities: [] } }, 'filters.priorities should be a list of 1 or more'],
  ])('names the fault of %j', (entry, fault) => {
    expect(faultOf(JSON.stringify([tea, entry]))).toContain(`question 2: ${fault}`)
  })

  test('names ten faults and counts the others', () => {
    expect(faultOf(JSON.stringify(Array(12).fill(1)))).toEndWith('question 10: is no object\n  and 2 more')
  })

  test('is read from disk, and reported when missing', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'questions.jsonl'), JSON.stringify(tea))
    expect(await readQuestions(join(folder, 'questions.jsonl'))).toEqual([tea])
    expect(readQuestions(join(folder, 'none.json'))).rejects.toThrow('cannot be read')
  })
})
