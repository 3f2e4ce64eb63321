import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unmetNeed } from './needs.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const needs = { 'a.test.ts': ['A_URL'], 'c.test.ts': ['A_URL', 'sh'], 'd.test.ts': ['no-such-program'] }

describe('a test file that needs a service or a program', () => {
  test('is left out where nothing says where the service is', () => {
    expect(unmetNeed('a.test.ts', needs, {})).toBe('A_URL')
    expect(unmetNeed('a.test.ts', needs, { A_URL: '' })).toBe('A_URL')
    expect(unmetNeed('a.test.ts', needs, { A_URL: 'http://127.0.0.1:1' })).toBeUndefined()
    expect(unmetNeed('b.test.ts', needs, {})).toBeUndefined()
  })

  test('is left out where a program that it starts is not installed', () => {
    const { PATH } = process.env
    expect(unmetNeed('c.test.ts', needs, { PATH })).toBe('A_URL')
    expect(unmetNeed('c.test.ts', needs, { PATH, A_URL: 'http://127.0.0.1:1' })).toBeUndefined()
    expect(unmetNeed('d.test.ts', needs, { PATH })).toBe('no-such-program')
  })

  test('exists under the path that it is listed by', () => {
    const listed = Object.keys(JSON.parse(readFileSync(`${ROOT}test/needs.json`, 'utf8')))
    expect(listed.filter(path => !existsSync(ROOT + path))).toEqual([])
  })
})
