import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../support/client.ts'
import { inlined } from '../support/inlined.ts'
import { isOpenToAnyone } from '../support/operations.ts'
import { misfits } from './fitting.ts'
import { subject } from './subject.ts'

let reference: Json

beforeAll(async () => {
  reference = inlined((await (await subject()).anonymous.get('/openapi.json')).body)
})

/** Maps a name, e.g. `POST /v1/memories`, to its operation. */
function operations(): { name: string; operation: Json }[] {
  return Object.entries<Json>(reference.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

/** Lists every response of every operation, e.g. `POST /v1/memories 201`. */
function responses(): { name: string; status: number; operation: Json; response: Json; json: Json }[] {
  return operations().flatMap(({ name, operation }) =>
    Object.entries<Json>(operation.responses).map(([status, response]) => ({
      name: `${name} ${status}`,
      status: Number(status),
      operation,
      response,
      json: response.content?.['application/json'],
    })),
  )
}

/** Lists the properties of a schema without a description, by their paths. */
function undescribed(schema: Json, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description ? [] : [`${at}.${name}`]),
    ...undescribed(property, `${at}.${name}`),
  ])
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? []), schema.additionalProperties]
  return [...own, ...parts.flatMap(part => undescribed(part, `${at}[]`))]
}

describe('the reference', () => {
  test('names every operation once and says what it does', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids.length).toBeGreaterThan(35)
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
    const mute = operations().filter(({ operation }) => !operation.summary || !operation.tags?.[0])
    expect(mute.map(({ name }) => name)).toEqual([])
  })

  test('has an example for every body in JSON, of requests and of successes', () => {
    const requests = operations()
      .filter(({ operation }) => operation.requestBody?.content['application/json'])
      .filter(({ operation }) => operation.requestBody.content['application/json'].example === undefined)
    const successes = responses().filter(({ status, json }) => status < 400 && json && json.example === undefined)
    expect([...requests, ...successes].map(({ name }) => name)).toEqual([])
  })

  test('has examples that fit their schemas', () => {
    const faults = [
      ...responses().filter(({ json }) => json?.example !== undefined),
      ...operations()
        .filter(({ operation }) => operation.requestBody?.content['application/json'])
        .map(({ name, operation }) => ({ name, json: operation.requestBody.content['application/json'] })),
    ].flatMap(({ name, json }) => misfits(json.schema, json.example).map(fault => `${name}: ${fault}`))
    expect(faults).toEqual([])
  })

  test('gives every failure its code, its sentence and an example', () => {
    const failures = responses().filter(({ status, name }) => status >= 400 && !name.startsWith('GET /ready'))
    expect(failures.length).toBeGreaterThan(200)
    for (const { name, status, response, json } of failures) {
      const examples = Object.entries<Json>(json.examples)
      expect([name, json.schema.allOf[0]]).toEqual([name, reference.components.schemas.ApiError])
      const codes: string[] = json.schema.allOf[1].properties.error_code.enum
      expect([name, codes]).toEqual([name, examples.map(([code]) => code)])
      const other = { ...examples[0]?.[1].value, error_code: 'NONE' }
      expect([name, misfits(json.schema, other)]).not.toEqual([name, []])
      for (const [code, { value }] of examples) {
        expect([name, value]).toEqual([name, expect.objectContaining({ status_code: status, error_code: code })])
        expect(response.description).toContain(`\`${code}\``)
      }
    }
  })

  test('shows a field as required whose other name is taken as well', () => {
    const bodyOf = (name: string) =>
      operations().find(one => one.name === name)?.operation.requestBody.content['application/json'].schema
    const batch = bodyOf('POST /v1/memories/batch').properties.memories.items
    for (const schema of [bodyOf('POST /v1/memories'), bodyOf('PUT /v1/memories/{id}'), batch])
      expect([schema.required, schema.properties.content.description]).toEqual([
        ['memory'],
        expect.stringContaining('Another name for `memory`'),
      ])
    expect(bodyOf('POST /v1/memories/{id}/feedback').required).toEqual(['signal'])
  })

  test('names whom to ask, and a failure that is up to the caller in each operation, as linters want', () => {
    expect(reference.info.contact).toBeObject()
    const blameless = operations().filter(({ operation }) => !/(^|,)4/.test(Object.keys(operation.responses).join()))
    expect(blameless.map(({ name }) => name)).toEqual([])
  })

  test('lists the codes that every operation shares', () => {
    for (const { name, operation } of operations()) {
      const codes = Object.values<Json>(operation.responses).flatMap(response =>
        Object.keys(response.content?.['application/json']?.examples ?? {}),
      )
      const isOpen = isOpenToAnyone(operation) || name.includes('/v1/auth/')
      const shared = isOpen
        ? ['INTERNAL_ERROR']
        : ['UNAUTHORIZED', 'RATE_LIMITED', 'VALIDATION_ERROR', 'INTERNAL_ERROR']
      expect([name, codes]).toEqual([name, expect.arrayContaining(shared)])
      if (operation['x-permission']) expect(codes).toContain('FORBIDDEN')
    }
  })

  test('names the headers of every response, and describes them', () => {
    for (const { name, status, operation, response } of responses()) {
      const headers = Object.keys(response.headers)
      expect([name, headers]).toEqual([name, expect.arrayContaining(['X-Request-Id'])])
      const isOpen = operation.security?.length === 0 || /\/v1\/(auth\/|members\/accept)/.test(name)
      if (!isOpen && status !== 401) {
        const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
        expect([name, headers]).toEqual([name, expect.arrayContaining(limits)])
      }
      if (status === 429 || status === 503)
        expect([name, headers]).toEqual([name, expect.arrayContaining(['Retry-After'])])
      for (const { description, schema, example } of Object.values<Json>(response.headers)) {
        expect([description, typeof schema.type, example === undefined]).toEqual([expect.any(String), 'string', false])
      }
    }
  })

  test('tells instants by their format', () => {
    const fields = [
      ...operations().flatMap(({ name, operation }) =>
        instantsWithoutFormat(operation.requestBody?.content['application/json']?.schema, `${name} body`),
      ),
      ...responses().flatMap(({ name, json }) => instantsWithoutFormat(json?.schema, name)),
    ]
    expect(fields).toEqual([])
  })

  test('describes every parameter and every field', () => {
    const parameters = operations().flatMap(({ name, operation }) =>
      operation.parameters
        .filter((parameter: Json) => !parameter.description)
        .map((parameter: Json) => `${name} ${parameter.in} ${parameter.name}`),
    )
    const fields = [
      ...operations().flatMap(({ name, operation }) =>
        undescribed(operation.requestBody?.content['application/json']?.schema, `${name} body`),
      ),
      ...responses().flatMap(({ name, json }) => undescribed(json?.schema, name)),
      ...undescribed(reference.components.schemas.ApiError, 'ApiError'),
    ]
    expect([...parameters, ...fields]).toEqual([])
  })
})

/** Lists the fields of a schema that hold an instant, by their names, and do not say so. */
function instantsWithoutFormat(schema: Json, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const fields = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) => {
    const texts = [property, ...(property.anyOf ?? [])].filter(({ type }) => type === 'string')
    const isMute = /(_at|_until|_since|At)$/.test(name) && texts.some(({ format }) => format !== 'date-time')
    return [...(isMute ? [`${at}.${name}`] : []), ...instantsWithoutFormat(property, `${at}.${name}`)]
  })
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  return [...fields, ...parts.flatMap(part => instantsWithoutFormat(part, `${at}[]`))]
}
