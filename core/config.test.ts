import { describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { ConfigError, coreConfig, crossCheck, readConfig, requireConfig } from './config.ts'
import { splitList } from './parts.ts'

const read = (environment: Record<string, string>) => readConfig(coreConfig, environment)
const messages = (environment: Record<string, string>) =>
  Object.fromEntries(read(environment).faults.map(({ name, message }) => [name, message]))

describe('settings', () => {
  test('left out, empty or blank have their default', () => {
    for (const environment of [{}, { PORT: '' }, { PORT: '  ' }]) expect(read(environment).values.PORT).toBe(3000)
    expect(read({ DATABASE_URL: '' }).values.DATABASE_URL).toBeUndefined()
  })

  test('are trimmed and read as what they are', () => {
    const { values, faults } = read({ PORT: ' 0 ', RATE_LIMIT: '20', WORKERS: 'none', DATABASE_POOL: '4' })
    expect(faults).toEqual([])
    expect(values).toMatchObject({ PORT: 0, RATE_LIMIT: 20, WORKERS: 'none', DATABASE_POOL: 4 })
    expect(read({ RATE_LIMIT: 'off' }).values.RATE_LIMIT).toBe('off')
  })

  test('the core does not know are left to others', () => {
    expect(read({ PATH: '/bin', SOME_OTHER: 'x' })).toMatchObject({ faults: [] })
  })

  test('at fault are named with what would be right', () => {
    expect(messages({ PORT: '80.5' })).toEqual({ PORT: 'must be a whole number from 0 to 65535.' })
    expect(messages({ PORT: 'eighty' })).toEqual({ PORT: 'must be a whole number from 0 to 65535.' })
    expect(messages({ DATABASE_POOL: '1' })).toEqual({ DATABASE_POOL: 'must be a whole number from 4 to 200.' })
    expect(messages({ RATE_LIMIT: '0' })).toEqual({ RATE_LIMIT: 'must be one of: a whole number, off.' })
    expect(messages({ WORKERS: 'some' })).toEqual({ WORKERS: 'must be one of: inline, none.' })
    expect(messages({ DATABASE_URL: 'mysql://db' })).toEqual({ DATABASE_URL: 'must begin with postgres://.' })
    expect(messages({ PUBLIC_URL: 'mneme.example' })).toEqual({ PUBLIC_URL: 'must begin with http:// or https://.' })
    expect(messages({ RERANK_URL: 'localhost:80' })).toEqual({ RERANK_URL: 'must begin with http:// or https://.' })
    expect(messages({ ADMIN_EMAIL: 'ada' })).toEqual({ ADMIN_EMAIL: 'must be an e-mail address.' })
    expect(messages({ ENCRYPTION_KEY: 'short' })).toEqual({ ENCRYPTION_KEY: 'must have at least 32 characters.' })
    expect(messages({ ADMIN_PASSWORD: 'short' })).toEqual({ ADMIN_PASSWORD: 'must have from 8 to 128 characters.' })
  })

  test('of a numeric kind take plain decimal numbers only', () => {
    for (const PORT of ['0x50', '1e3', 'true', 'Infinity', '-1']) {
      expect(messages({ PORT })).toEqual({ PORT: 'must be a whole number from 0 to 65535.' })
    }
  })

  test('may be in a file that NAME_FILE names, unless they are given', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'mneme-settings-')), 'key')
    writeFileSync(path, `${'k'.repeat(32)}\n`)
    expect(read({ ENCRYPTION_KEY_FILE: path })).toMatchObject({
      values: { ENCRYPTION_KEY: 'k'.repeat(32) },
      faults: [],
    })
    const given = read({ ENCRYPTION_KEY_FILE: path, ENCRYPTION_KEY: 'g'.repeat(32) })
    expect(given.values.ENCRYPTION_KEY).toBe('g'.repeat(32))
    expect(messages({ ENCRYPTION_KEY_FILE: '/nowhere/key' })).toEqual({
      ENCRYPTION_KEY_FILE: expect.stringContaining('cannot be read: ENOENT'),
    })
    writeFileSync(path, 'short')
    expect(messages({ ENCRYPTION_KEY_FILE: path })).toEqual({ ENCRYPTION_KEY: 'must have at least 32 characters.' })
  })

  test('that are required say so', () => {
    const schema = Type.Object({ TOKEN: Type.String() })
    expect(readConfig(schema, {}).faults).toEqual([{ name: 'TOKEN', message: 'is required.' }])
    expect(() => requireConfig(schema, {})).toThrow(ConfigError)
    expect(requireConfig(schema, { TOKEN: 'x' })).toEqual({ TOKEN: 'x' })
  })

  test('each have a description, which docs/settings.md and the reference rest on', () => {
    for (const [name, property] of Object.entries(coreConfig.properties)) {
      expect(`${name}: ${property.description ?? ''}`).toMatch(/: .{10,}/)
    }
  })
})

describe('rules that span settings', () => {
  const names = (environment: Record<string, string>) => crossCheck(read(environment).values).map(({ name }) => name)

  test('a real database needs the key that its servers share', () => {
    expect(names({ DATABASE_URL: 'postgres://db/x' })).toEqual(['ENCRYPTION_KEY'])
    expect(names({ DATABASE_URL: 'postgres://db/x', ENCRYPTION_KEY: 'k'.repeat(32) })).toEqual([])
    expect(names({ ENCRYPTION_KEY_PREVIOUS: 'short, shorter' })).toEqual(['ENCRYPTION_KEY_PREVIOUS'])
    expect(names({ ENCRYPTION_KEY_PREVIOUS: `a,${'k'.repeat(30)}` })).toEqual([])
  })

  test('an address of a database whose password needs encoding is named', () => {
    for (const password of ['a/b', 'a#b', 'a?b'])
      expect(names({ DATABASE_URL: `postgres://mneme:${password}@db/x`, ENCRYPTION_KEY: 'k'.repeat(32) })).toEqual([
        'DATABASE_URL',
      ])
    expect(names({ DATABASE_URL: 'postgres://mneme:a%2Fb@db/x', ENCRYPTION_KEY: 'k'.repeat(32) })).toEqual([])
  })

  test('an address that nobody can read is named, also where it is used long after the start', () => {
    for (const name of ['PUBLIC_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'RERANK_URL'])
      for (const address of ['https://', 'https://me@', 'http://a b.example', 'https://a.example:99999'])
        expect([address, crossCheck(read({ [name]: address }).values)]).toEqual([
          address,
          [{ name, message: 'is no valid address.' }],
        ])
    expect(
      names({ PUBLIC_URL: 'https://memory.example:8443/a', ADMIN_PASSWORD: 'https://', ADMIN_EMAIL: 'a@b' }),
    ).toEqual([])
  })

  test('the embedded database has no other process to run its jobs', () => {
    expect(names({ WORKERS: 'none' })).toEqual(['WORKERS'])
  })

  test('an embedding endpoint needs its address and model', () => {
    expect(names({ EMBEDDINGS: 'http' })).toEqual(['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'])
  })

  test('a language model needs its address and name, or its key, and an address is not left unused', () => {
    expect(names({ LANGUAGE_MODEL: 'http' })).toEqual(['LANGUAGE_MODEL_URL', 'LANGUAGE_MODEL_NAME'])
    expect(names({ LANGUAGE_MODEL: 'claude' })).toEqual(['ANTHROPIC_API_KEY'])
    expect(names({ LANGUAGE_MODEL_URL: 'http://localhost:11434' })).toEqual(['LANGUAGE_MODEL'])
    expect(names({ LANGUAGE_MODEL: 'none', LANGUAGE_MODEL_URL: 'http://localhost:11434' })).toEqual([])
  })

  test("the first account's e-mail and password go together", () => {
    expect(names({ ADMIN_EMAIL: 'a@b.c' })).toEqual(['ADMIN_PASSWORD'])
    expect(names({ ADMIN_PASSWORD: 'long enough' })).toEqual(['ADMIN_EMAIL'])
    expect(names({ ADMIN_PASSWORD: 'long enough', ADMIN_EMAIL: 'a@b.c' })).toEqual([])
  })
})

test('lists are split at commas, without blanks', () => {
  expect(splitList(' a, b ,,c ')).toEqual(['a', 'b', 'c'])
  expect(splitList(undefined)).toEqual([])
})
