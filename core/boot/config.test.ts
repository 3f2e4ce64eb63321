import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { ConfigError } from '../config.ts'
import { eraseTypes } from '../plugin.ts'
import { readConfiguration } from './config.ts'

const weather = eraseTypes({
  id: 'weather',
  version: '1',
  apiVersion: 1,
  config: Type.Object({
    WEATHER_URL: Type.String({ pattern: '^https://' }),
    WEATHER_TTL: Type.Integer({ minimum: 1, default: 60 }),
  }),
  setup: () => ({ scope: undefined }),
})

const feed = eraseTypes({
  id: 'feed',
  version: '1',
  apiVersion: 1,
  config: Type.Object({
    FEED_URL: Type.Optional(Type.String()),
    FEED_KEY: Type.Optional(Type.String({ onlyWith: 'FEED_URL' })),
  }),
  setup: () => ({ scope: undefined }),
})

test('settings of the core and of plugins come from one environment, with their defaults', () => {
  const { core, plugins } = readConfiguration([weather], { PORT: '8080', WEATHER_URL: 'https://example.com' })
  expect(core).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', RATE_LIMIT: 6000, WORKERS: 'inline' })
  expect(plugins.get('weather')).toEqual({ WEATHER_URL: 'https://example.com', WEATHER_TTL: 60 })
})

test('a setting that belongs to another is told where that one is missing or says something else', () => {
  const idle = (environment: Record<string, string>) => readConfiguration([feed], environment).idle
  const told = ['EMBEDDINGS_MODEL has no effect without EMBEDDINGS=http', 'FEED_KEY has no effect without FEED_URL']
  expect(idle({ EMBEDDINGS_MODEL: 'm', FEED_KEY: 'k' })).toEqual(told)
  expect(idle({ EMBEDDINGS_MODEL: 'm', EMBEDDINGS: 'local', FEED_KEY: ' ' })).toEqual(told.slice(0, 1))
  expect(
    idle({ EMBEDDINGS_MODEL: 'm', EMBEDDINGS: 'http', EMBEDDINGS_URL: 'http://e', FEED_KEY: 'k', FEED_URL: 'u' }),
  ).toEqual([])
})

test('a name that is one slip from a setting is told, with the setting that was meant', () => {
  const idle = (environment: Record<string, string>) => readConfiguration([feed], environment).idle
  expect(idle({ RATELIMIT: '3', MEMORY_LIMT_MB: '300', FEED_ULR: 'u' })).toEqual([
    'RATELIMIT is no setting and has no effect: did you mean RATE_LIMIT?',
    'MEMORY_LIMT_MB is no setting and has no effect: did you mean MEMORY_LIMIT_MB?',
    'FEED_ULR is no setting and has no effect: did you mean FEED_URL?',
  ])
  // Variables of other programs, empty ones and right ones are left alone.
  expect(idle({ HOSTS: 'a', PATH: '/bin', DATABASE_PORT: '5432', RATELIMIT: ' ', RATE_LIMIT: '3' })).toEqual([])
})

test('one error names every setting at fault: the core, plugins and rules that span settings', () => {
  const environment = {
    PORT: '70000',
    RATE_LIMIT: 'often',
    DATABASE_URL: 'postgres://db/mneme',
    ADMIN_EMAIL: 'a@example.com',
    WEATHER_TTL: '0',
  }
  const error = caught(() => readConfiguration([weather], environment))
  expect(error.faults.map(({ name }) => name).toSorted()).toEqual([
    'ADMIN_PASSWORD',
    'ENCRYPTION_KEY',
    'PORT',
    'RATE_LIMIT',
    'WEATHER_TTL',
    'WEATHER_URL',
  ])
  expect(error.message.split('\n')).toHaveLength(6)
})

test('a check of a plugin is reported with the others, and is given what its schema accepts', () => {
  const given: unknown[] = []
  const checked = {
    ...weather,
    checkConfig(config: unknown) {
      given.push(config)
      return ['WEATHER_TTL', 'WEATHER_URL'].map(name => ({ name, message: 'is odd.' }))
    },
  }
  const lines = (environment: Record<string, string>) =>
    caught(() => readConfiguration([checked], environment)).message.split('\n')
  const own = { WEATHER_URL: 'https://example.com' }
  expect(lines({ ...own, PORT: 'abc' })).toEqual([
    expect.stringContaining('PORT must be'),
    'WEATHER_TTL is odd.',
    'WEATHER_URL is odd.',
  ])
  // A setting that is wrong in itself is named once.
  expect(lines({ ...own, WEATHER_TTL: 'often' })).toEqual([
    'WEATHER_TTL must be a whole number of at least 1.',
    'WEATHER_URL is odd.',
  ])
  expect(given).toEqual([own, own].map(config => ({ ...config, WEATHER_TTL: 60 })))
  expect(lines({})).toEqual(['WEATHER_URL is required.'])
  expect(given).toHaveLength(2)
})

test('a check of a plugin that fails is told with its name', () => {
  const broken = { ...weather, checkConfig: () => undefined as never }
  expect(() => readConfiguration([broken], { WEATHER_URL: 'https://example.com' })).toThrow(
    'plugin weather: checkConfig failed: ',
  )
})

test('origins that no browser sends are a fault', () => {
  const faults = (origins: string) => {
    const environment = { CORS_ORIGINS: origins, PORT: 'x' }
    return caught(() => readConfiguration([], environment)).faults.map(({ name }) => name)
  }
  const right = ['*', 'https://app.example', 'http://localhost:5173', 'https://a.example, http://[::1]:8080', ' , ', '']
  for (const origins of right) expect([origins, faults(origins)]).toEqual([origins, ['PORT']])
  const wrong = [
    'app.example',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example:443',
    'https://App.example',
    'https://u:p@app.example',
    'https://*.example',
    'ftp://app.example',
    'https://a.example, b.example',
    'null',
  ]
  for (const origins of wrong) expect([origins, faults(origins)]).toEqual([origins, ['PORT', 'CORS_ORIGINS']])
})

test('no message holds a value, since values may be secrets', () => {
  const secret = 'hunter2'
  const environment = {
    ENCRYPTION_KEY: secret,
    METRICS_TOKEN: secret.slice(0, 5),
    ADMIN_EMAIL: secret,
    ADMIN_PASSWORD: secret.slice(0, 6),
    BOOTSTRAP_API_KEY: secret,
    DATABASE_URL: `mysql://root:${secret}@db`,
    WEATHER_URL: secret,
    PORT: secret,
    LOG_LEVEL: secret,
  }
  const error = caught(() => readConfiguration([weather], environment))
  expect(error.faults).toHaveLength(9)
  expect(error.message).not.toContain(secret.slice(0, 5))
})

function caught(read: () => unknown): ConfigError {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('the settings were taken as right')
}
