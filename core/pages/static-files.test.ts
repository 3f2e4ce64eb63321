import { expect, test } from 'bun:test'
import { isHashedName, segmentsOf } from './static-files.ts'

test('names with a hash of their content are told from words, versions and dates', () => {
  const hashed = ['app.3f9a1c2e.js', 'app-BvR3x9Qa.css', 'chunk-8n3wz7qy.js.map', 'logo.0a1b2c3d4e5f.svg']
  const plain = [
    'app.js',
    'jquery.minified.js',
    'site.bootstrap5.css',
    'report.20260101.csv',
    'index.3f9a1c2e.html',
    '3f9a1c2e.js',
    'app.3f9a1c2.js',
  ]
  expect(hashed.filter(isHashedName)).toEqual(hashed)
  expect(plain.filter(isHashedName)).toEqual([])
})

test('a path is decoded once, and what could mean another place is none', () => {
  expect(segmentsOf('a/b%20c/')).toEqual(['a', 'b c', ''])
  expect(segmentsOf('')).toEqual([''])
  const unsafe = [
    '..',
    '../x',
    'a/../b',
    '.',
    '.env',
    'a//b',
    '/etc/passwd',
    '%2e%2e/x',
    '%2E%2E%2fx',
    '%252e%252e/x',
    '%252e%252e%252fx',
    '..%5cx',
    'a\\b',
    'a%00',
    'a%0a',
    'C:/x',
    '%c0%ae%c0%ae/x',
    '%',
  ]
  expect(unsafe.filter(path => segmentsOf(path) !== undefined)).toEqual([])
})
