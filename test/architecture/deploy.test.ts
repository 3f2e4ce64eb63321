import { expect, test } from 'bun:test'
import { parseAllDocuments } from 'yaml'
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
