import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../support/client.ts'
import { inlined } from '../support/inlined.ts'
import { subject } from './subject.ts'

let served: Json

beforeAll(async () => {
  served = (await (await subject()).anonymous.get('/openapi.json')).body
})

function operations(document: Json): Json[] {
  return Object.values<Json>(document.paths).flatMap(methods => Object.values<Json>(methods))
}

const VERBS =
  /^(accept|apply|ask|assemble|call|cancel|change|compile|copy|create|delete|diagnose|download|explain|get|give|ingest|invite|list|preview|promote|redeliver|remove|reprocess|reset|restore|return|revoke|rotate|search|set|sign|test|traverse|update)[A-Z]/

const NO_SCHEMAS = new Set(['example', 'examples', 'default', 'enum', 'const', 'required'])

/** Lists every schema in a part of the document, those inside of others included. */
function schemasIn(part: Json): Json[] {
  if (typeof part !== 'object' || part === null) return []
  const inside = Object.entries<Json>(part).flatMap(([keyword, value]) =>
    NO_SCHEMAS.has(keyword) ? [] : schemasIn(value),
  )
  return typeof part.type === 'string' || Array.isArray(part.anyOf) ? [part, ...inside] : inside
}

const fieldsOf = ({ properties }: Json): string =>
  Object.keys(properties ?? {})
    .toSorted()
    .join()

/** Clients in other languages are made from the document: what they are like is decided here. */
describe('clients made from the document', () => {
  test('have methods that begin with a verb', () => {
    const names = operations(served).map(({ operationId }) => operationId)
    expect(names).toContain('createMemory')
    expect(names.filter(name => !VERBS.test(name))).toEqual([])
  })

  test('have one named type for what several operations return', () => {
    const users = new Map<string, Set<string>>()
    for (const { operationId, responses } of operations(inlined(served, ['responses']))) {
      const contents = Object.values<Json>(responses).map(({ content }) => content ?? null)
      for (const schema of schemasIn(contents).filter(({ properties = {} }) => Object.keys(properties).length > 1))
        users.set(fieldsOf(schema), (users.get(fieldsOf(schema)) ?? new Set()).add(operationId))
    }
    expect([...users].filter(([, { size }]) => size > 1).map(([fields, names]) => [fields, [...names]])).toEqual([])
    // A second schema under the name of a type stands in its place without that name.
    const types = Object.values<Json>(served.components.schemas).map(fieldsOf)
    expect([...users.keys()].filter(fields => types.includes(fields))).toEqual([])
  })

  test('find a tag described for every operation', () => {
    const known: string[] = served.tags.map(({ name }: Json) => name)
    expect(new Set(known).size).toBe(known.length)
    expect(operations(served).filter(({ tags }) => !known.includes(tags[0]))).toEqual([])
    for (const { description } of served.tags) expect(description).toBeString()
  })

  test('send lists in a query with commas', () => {
    const lists = operations(inlined(served, ['parameters'])).flatMap(({ parameters }) =>
      parameters.filter((parameter: Json) => parameter.in === 'query' && parameter.schema.type === 'array'),
    )
    expect(lists.length).toBeGreaterThan(3)
    for (const list of lists) expect(list).toMatchObject({ style: 'form', explode: false })
  })

  test('read each failure once', () => {
    const failures = operations(served).flatMap(({ operationId, responses }) =>
      Object.entries<Json>(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, response]) => ({ name: `${operationId} ${status}`, response })),
    )
    expect(failures.length).toBeGreaterThan(500)
    const spelledOut = failures.filter(({ response }) => response.$ref === undefined)
    expect(spelledOut.map(({ name }) => name)).toEqual(['getReadiness 503'])
  })

  test('find a use for every shared part', () => {
    const text = JSON.stringify(served)
    const unused = ['parameters', 'headers', 'responses', 'examples', 'schemas'].flatMap(section =>
      Object.keys(served.components[section])
        .map(name => `#/components/${section}/${name}`)
        .filter(reference => !text.includes(`"${reference}"`)),
    )
    expect(unused).toEqual([])
  })

  test('read schemas in common keywords alone', () => {
    const keywords = schemasIn(inlined(served).paths).flatMap(schema => Object.keys(schema))
    expect(keywords).toContain('additionalProperties')
    for (const own of ['errorMessage', 'notBlank', 'happened', 'patternProperties']) expect(keywords).not.toContain(own)
  })

  test('may leave out of a body what has a default', () => {
    const bodies = operations(inlined(served)).map(({ requestBody }) => requestBody ?? null)
    const insisting = schemasIn(bodies).filter(({ required, properties = {} }) =>
      (Array.isArray(required) ? required : []).some(name => properties[name]?.default !== undefined),
    )
    expect(insisting).toEqual([])
  })
})
