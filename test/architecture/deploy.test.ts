import { describe, expect, test } from 'bun:test'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { read } from './source.ts'

interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly selector: Selector & { readonly matchLabels?: Selector }
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly template?: { readonly metadata: { readonly labels: Selector }; readonly spec: Pod }
  }
}
type Selector = Readonly<Record<string, unknown>>
interface Pod {
  readonly securityContext: object
  readonly containers: readonly {
    readonly ports: readonly { readonly name: string }[]
    readonly securityContext: object
  }[]
}

const resources = parseAllDocuments(read('deploy/kubernetes.yaml')).map(document => {
  expect(document.errors).toEqual([])
  const resource: Resource = document.toJS()
  return resource
})

test('what Kubernetes is given selects what it is given', () => {
  const pods = resources.flatMap(({ spec: { template } }) => (template ? [template.metadata.labels] : []))
  expect(resources.map(({ kind }) => kind).toSorted()).toEqual([
    'Deployment',
    'Deployment',
    'PodDisruptionBudget',
    'Service',
  ])
  for (const { metadata, spec } of resources) {
    expect([metadata.name, pods]).toEqual([
      metadata.name,
      expect.arrayContaining([spec.selector.matchLabels ?? spec.selector]),
    ])
  }
  const ports = resources.flatMap(
    ({ spec }) => spec.template?.spec.containers.flatMap(container => container.ports) ?? [],
  )
  for (const { spec } of resources) {
    for (const { targetPort } of spec.ports ?? []) expect(ports.map(({ name }) => name)).toContain(targetPort)
  }
})

test('containers run as nobody in particular, with a file system that they cannot write', () => {
  for (const { spec } of resources.flatMap(({ spec: { template } }) => (template ? [template] : []))) {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    for (const { securityContext } of spec.containers) {
      expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
    }
  }
  const image = read('Dockerfile')
  expect(/^USER (.+)$/m.exec(image)?.[1]).toBe('1000:1000')
  expect(image).not.toMatch(/^VOLUME/m)
})

describe('the chart', () => {
  const chart = (path: string) => read(`deploy/helm/mneme/${path}`)
  const values = parse(chart('values.yaml'))
  const templates = ['_pod.tpl', 'server.yaml', 'workers.yaml'].map(name => chart(`templates/${name}`))

  test('has the version of the service, and values that its schema takes', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(parse(chart('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', name: 'mneme', version, appVersion: version })
    const fits = new Ajv().compile(JSON.parse(chart('values.schema.json')))
    expect([fits(values), fits.errors]).toEqual([true, null])
    const wrong = [
      { ...values, replicas: 2 },
      { ...values, secret: '' },
      { ...values, settings: { RATE_LIMIT: 6000 } },
      { ...values, image: { ...values.image, digest: 'latest' } },
      { ...values, server: { ...values.server, shutdownDelay: 61 } },
    ]
    for (const one of wrong) expect([one, fits(one)]).toEqual([one, false])
  })

  test('uses the values that there are, and parts that are defined', () => {
    const text = templates.join('\n')
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const found: unknown = path.split('.').reduce((inside, name) => inside?.[name], values)
      expect([path, found === undefined]).toEqual([path, false])
    }
    const defined = [...text.matchAll(/\{\{- define "([^"]+)"/g)].map(([, name]) => name)
    for (const [, name] of text.matchAll(/include "([^"]+)"/g)) expect(defined).toContain(name)
    for (const one of templates) {
      const count = (pattern: RegExp) => one.match(pattern)?.length ?? 0
      expect(count(/\{\{-? (if|with|range|define) /g)).toBe(count(/\{\{-? end /g))
      expect(count(/\{\{/g)).toBe(count(/\}\}/g))
    }
  })

  test('gives pods and containers what the plain manifests give them', () => {
    const plain = read('deploy/kubernetes.yaml')
    const [parts = '', server = '', workers = ''] = templates
    const kept =
      /^ *((?:securityContext|automountServiceAccountToken|volumes|volumeMounts|startupProbe|readinessProbe|livenessProbe|ports|command): .+)$/gm
    const rules = new Set(
      [...plain.matchAll(kept)].map(([, rule = '']) => rule).filter(rule => !rule.includes('targetPort')),
    )
    expect(rules.size).toBe(12)
    for (const rule of rules) expect([rule, `${parts}${server}${workers}`.includes(rule)]).toEqual([rule, true])
    expect(parse(plain.split('---')[0] ?? '').spec.template.spec.containers[0].resources).toEqual(
      values.server.resources,
    )
  })
})
