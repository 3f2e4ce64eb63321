import { expect, test } from 'bun:test'
import { serverUrl } from './connections.ts'

test.each([
  ['postgres://app:p%40ss@db.example/app?sslmode=require&channel_binding=require', '?sslmode=require'],
  ['postgres://app:p%40ss@db.example/app?pgbouncer=true', ''],
  ['postgres://app:p%40ss@db.example/app?gssencmode=disable&connect_timeout=9', '?connect_timeout=9'],
  ['postgres://app:p%40ss@db.example/app?sslmode=require', '?sslmode=require'],
  ['postgres://app:p%40ss@db.example/app', ''],
])('what is meant for other clients is left out of %s', (url, search) => {
  expect(serverUrl(url)).toBe(`postgres://app:p%40ss@db.example/app${search}`)
})

test('an address that is none stays as it is', () => {
  expect(serverUrl('db.example:5432')).toBe('db.example:5432')
})
