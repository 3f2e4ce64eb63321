import { readFileSync } from 'node:fs'
import { type SchemaOptions, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { expectationOf } from './coercion.ts'
import { addressFault } from './db/address.ts'
import { HTTP_PATTERN, httpAddress, modelFaults, modelSettings } from './models/settings.ts'
import { splitList } from './parts.ts'

/** A master key has so many characters. */
const KEY_LENGTH_MIN = 32

const text = (description: string, options: SchemaOptions = {}) =>
  Type.Optional(Type.String({ ...options, description }))
const postgres = (description: string) =>
  text(description, { pattern: '^postgres(ql)?://', errorMessage: 'must begin with postgres://' })
const whole = (description: string, minimum: number, maximum: number, standard: number) =>
  Type.Integer({ minimum, maximum, default: standard, description })
const requestsOrOff = (description: string, standard: number) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Literal('off')], { default: standard, description })

/** Settings of the kernel itself, by the names of their environment variables. Plugins add their own. */
export const coreConfig = Type.Object({
  PORT: whole('Port to listen on; 0 takes a free one.', 0, 65535, 3000),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
  DATA_DIR: Type.String({ default: '.data', description: 'Folder of the embedded database and of local secrets.' }),
  DATABASE_URL: postgres('Postgres 15 or newer with pgvector. Unset: the embedded database in DATA_DIR.'),
  DATABASE_REQUEST_URL: postgres(
    'The same database for a role that owns nothing: requests log in there. Unset: as DATABASE_URL.',
  ),
  DATABASE_POOL: whole(
    'Connections of each process for transactions. Half as many more, at least 4, serve jobs and sign-in, and one watches the database.',
    4,
    200,
    16,
  ),
  WORKERS: Type.Union([Type.Literal('inline'), Type.Literal('none')], {
    default: 'inline',
    description: '`inline` runs jobs in the server; `none` leaves them to `bun run workers`.',
  }),
  SHUTDOWN_DELAY: whole(
    'Seconds for which a server that was told to stop serves on, while `/ready` is 503, so that a balancer sends its requests elsewhere.',
    0,
    60,
    0,
  ),
  WORKERS_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description:
        'Port of HOST on which `bun run workers` serves `/health`, `/ready` and `/metrics`; 0 takes a free one. Unset: none.',
    }),
  ),
  WORKER_CONCURRENCY: whole('Jobs at once in one process.', 1, 64, 16),
  PLUGINS: text('Comma-separated package names or paths of plugins to add.'),
  PLUGINS_DISABLED: text('Comma-separated ids of built-in plugins to leave out.'),
  PLAN_FEATURES: text('Comma-separated features to put into further plans, each as `plan:feature`: `pro:x_guestbook`.'),
  PUBLIC_URL: Type.Optional(httpAddress('The address users reach the service at, when a proxy stands before it.')),
  BASE_PATH: text(
    'Path below which everything is served, as `/mneme`. `/health`, `/ready` and `/metrics` answer without it as well.',
    {
      pattern: '^/$|^(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+/?$',
      errorMessage: 'must be a path such as /mneme',
    },
  ),
  PASSWORD_SIGN_IN: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    errorMessage: 'must be on or off',
    description: '`off`: accounts sign in by OpenID Connect alone, which has to be set up then.',
  }),
  OIDC_ISSUER: Type.Optional(
    httpAddress('The provider by which accounts may sign in (OpenID Connect), as its documents name the issuer.'),
  ),
  OIDC_CLIENT_ID: text('The client that the provider knows this service as.'),
  OIDC_CLIENT_SECRET: text('Its secret.'),
  OIDC_DOMAINS: text(
    'Comma-separated domains of e-mail addresses whose owners get an account when they first sign in by the provider. Unset: only who has an account may.',
  ),
  OUTGOING_PROXY: text(
    'HTTP proxy for addresses that tenants give, which `HTTPS_PROXY` is never used for. Unset: none.',
    {
      pattern: '^http://[^\\s/]+/?$',
      errorMessage: 'must be the address of an HTTP proxy, such as http://10.0.0.2:3128',
    },
  ),
  TRUSTED_PROXIES: text(
    'Comma-separated addresses or CIDR ranges of proxies whose `X-Forwarded-For` is believed. Unset: nobody is.',
  ),
  CORS_ORIGINS: text('Comma-separated origins that browsers may call from, or `*`. Unset: none.'),
  RATE_LIMIT: requestsOrOff(
    'Requests a minute for each key, and ten times as many for all keys of a workspace together, or `off`.',
    6000,
  ),
  ANONYMOUS_RATE_LIMIT: requestsOrOff(
    'Requests a minute without a valid key or session for each address, or `off`. `RATE_LIMIT=off` turns it off as well.',
    600,
  ),
  MEMORY_LIMIT_MB: Type.Optional(
    Type.Integer({
      minimum: 256,
      description:
        'Memory of each process above which caches are emptied and heavy requests get 503. Unset: 80 % of the machine or container; set it where several processes share one machine.',
    }),
  ),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map(level => Type.Literal(level)),
    { default: 'info', description: 'Least severe level that is logged.' },
  ),
  METRICS_TOKEN: text('When set, /metrics requires it as a bearer token.', { minLength: 8 }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    httpAddress('OpenTelemetry collector for traces (OTLP over HTTP), such as `http://localhost:4318`. Unset: none.'),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: text(
    'Headers for the collector: `name=value` pairs with commas between them, values percent-encoded.',
    {
      pattern: '^[^=,\\s]+=[^,]*(,[^=,\\s]+=[^,]*)*$',
      errorMessage: 'must be name=value pairs with commas between them',
      onlyWith: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    },
  ),
  OTEL_SERVICE_NAME: Type.String({ default: 'mneme', description: 'Name of this service in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 1,
    description: "Share of traces that are recorded; a caller's own decision takes precedence.",
  }),
  ENCRYPTION_KEY: text(
    'Protects secrets at rest and signs sessions. Made in DATA_DIR when embedded; required with DATABASE_URL.',
    { minLength: KEY_LENGTH_MIN },
  ),
  ENCRYPTION_KEY_PREVIOUS: text(
    'Other keys, comma-separated, whose sealed values are still opened: former ones, until `bun run server reseal` has ended. A key that has commas itself stands alone.',
  ),
  ALLOW_PRIVATE_NETWORKS: Type.Boolean({
    default: false,
    description: 'Lets requests to URLs that users give reach private networks and this machine: for development.',
  }),
  BOOTSTRAP_API_KEY: text(
    'A key with every permission for the first workspace. A value that was never stored is added at any start; former ones stay valid until revoked.',
    {
      pattern: '^mn_live_[0-9A-Za-z]{24,128}$',
      errorMessage: 'must be mn_live_ followed by 24 to 128 letters and digits',
    },
  ),
  ADMIN_EMAIL: text('E-mail of the first account.', {
    pattern: '^[^@\\s]+@[^@\\s]+$',
    errorMessage: 'must be an e-mail address',
  }),
  ADMIN_PASSWORD: text('Password of the first account.', { minLength: 8, maxLength: 128 }),
  ...modelSettings,
})

export type CoreConfig = Static<typeof coreConfig>

export type Environment = Readonly<Record<string, string | undefined>>

/** Describes one setting at fault by the sentence to show. It never shows values, since they may be secrets. */
export interface ConfigFault {
  name: string
  message: string
}

/** Carries all faults at once; its message has one line per setting. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly ConfigFault[]) {
    super(faults.map(fault => `${fault.name} ${fault.message}`).join('\n'))
    this.name = 'ConfigError'
  }
}

export interface ConfigReading<C> {
  /** Only meaningful without faults. */
  values: C
  faults: ConfigFault[]
}

/** Reads one schema's settings, an empty variable counting as unset. Collects faults instead of throwing. */
export function readConfig<C extends TObject>(schema: C, environment: Environment): ConfigReading<Static<C>> {
  const raw: Record<string, unknown> = {}
  const faults = new Map<string, ConfigFault>()
  for (const name of Object.keys(schema.properties)) {
    try {
      const text = environment[name]?.trim() || textOfFile(environment[`${name}_FILE`]?.trim())
      if (text) raw[name] = parse(schema.properties[name] ?? schema, text)
    } catch (error) {
      faults.set(name, {
        name: `${name}_FILE`,
        message: `cannot be read: ${error instanceof Error ? error.message : error}.`,
      })
    }
  }
  const values = Value.Default(schema, raw)
  for (const error of Value.Errors(schema, values)) {
    const name = error.path.split('/')[1] ?? ''
    if (!faults.has(name))
      faults.set(name, { name, message: faultMessage(schema.properties[name] ?? schema, name in raw) })
  }
  return { values: values as Static<C>, faults: [...faults.values()] }
}

/** Containers are given secrets as files, so that no list of processes or environments shows them. */
function textOfFile(path: string | undefined): string | undefined {
  return path ? readFileSync(path, 'utf8').trim() : undefined
}

/** Reads one schema alone and throws on faults, for programs that need only a part of the settings. */
export function requireConfig<C extends TObject>(schema: C, environment: Environment): Static<C> {
  const { values, faults } = readConfig(schema, environment)
  if (faults.length > 0) throw new ConfigError(faults)
  return values
}

/** These rules span several settings. */
export function crossCheck(config: CoreConfig): ConfigFault[] {
  const faults: ConfigFault[] = []
  if (config.DATABASE_URL && !config.ENCRYPTION_KEY) {
    faults.push({
      name: 'ENCRYPTION_KEY',
      message: 'is required with DATABASE_URL: 32 or more random characters, the same on every server.',
    })
  }
  for (const name of ['DATABASE_URL', 'DATABASE_REQUEST_URL'] as const) {
    const message = config[name] && addressFault(config[name])
    if (message) faults.push({ name, message })
  }
  for (const [name, { pattern }] of Object.entries<TSchema>(coreConfig.properties)) {
    const address: unknown = pattern === HTTP_PATTERN ? Reflect.get(config, name) : undefined
    if (typeof address === 'string' && !URL.canParse(address)) faults.push({ name, message: 'is no valid address.' })
  }
  if (config.DATABASE_REQUEST_URL && !config.DATABASE_URL) {
    faults.push({
      name: 'DATABASE_REQUEST_URL',
      message: 'needs DATABASE_URL: the embedded database keeps requests apart by itself.',
    })
  }
  const former = formerKeys(config)
  if (former.length > 0 && former.every(key => key.length < KEY_LENGTH_MIN)) {
    faults.push({
      name: 'ENCRYPTION_KEY_PREVIOUS',
      message: `must be other keys of at least ${KEY_LENGTH_MIN} characters each, with commas between them.`,
    })
  }
  if (!config.DATABASE_URL && config.WORKERS === 'none') {
    faults.push({
      name: 'WORKERS',
      message: 'cannot be none with the embedded database: no other process can open it.',
    })
  }
  faults.push(...modelFaults(config))
  if (Boolean(config.ADMIN_EMAIL) !== Boolean(config.ADMIN_PASSWORD)) {
    const name = config.ADMIN_EMAIL ? 'ADMIN_PASSWORD' : 'ADMIN_EMAIL'
    faults.push({ name, message: 'is missing: ADMIN_EMAIL and ADMIN_PASSWORD go together.' })
  }
  return faults
}

/** Lists what ENCRYPTION_KEY_PREVIOUS may name: its parts, and the whole, since a key may have commas itself. */
export function formerKeys({ ENCRYPTION_KEY_PREVIOUS: text }: Pick<CoreConfig, 'ENCRYPTION_KEY_PREVIOUS'>): string[] {
  const parts = splitList(text)
  return text === undefined || parts.length === 0 ? [] : [text, ...parts]
}

/**
 * Parses numbers and booleans as people write them; a value that does not parse stays text, so that the check names it.
 */
function parse(schema: TSchema, text: string): unknown {
  const kinds: unknown[] = (schema.anyOf ?? [schema]).map((option: TSchema) => option.type)
  if ((kinds.includes('integer') || kinds.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (kinds.includes('boolean') && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  return text
}

function faultMessage(schema: TSchema, given: boolean): string {
  if (!given) return 'is required.'
  if (schema.anyOf && !schema.errorMessage) {
    const choices = schema.anyOf.map((option: TSchema) =>
      'const' in option ? String(option.const) : option.type === 'integer' ? 'a whole number' : `a ${option.type}`,
    )
    return `must be one of: ${choices.join(', ')}.`
  }
  const isLength = schema.type === 'string' && !schema.errorMessage && !schema.pattern
  return `${isLength ? lengthOf(schema) : expectationOf(schema)}.`
}

function lengthOf({ minLength = 0, maxLength }: TSchema): string {
  return `must have ${maxLength === undefined ? `at least ${minLength}` : `from ${minLength} to ${maxLength}`} characters`
}

/** Reads `BASE_PATH`: `/` and nothing are the same, as is a slash at the end. */
export function basePathOf({ BASE_PATH = '' }: Pick<CoreConfig, 'BASE_PATH'>): string {
  return BASE_PATH.replace(/\/+$/, '')
}
