import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { documentOf } from '../../src/app.ts'
import { readConfig, SETTINGS } from '../../src/config.ts'
import { VERSION } from '../../src/platform/version.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { type Manifest, manifestsIn, renderChart, valuesOf } from './chart.ts'
import { checkManifest } from './manifest-schemas.ts'
import { MEMORY_NEEDED_MB } from './memory-needed.ts'

const CHART = 'deploy/helm/knowledge'
const MANIFESTS = 'deploy/kubernetes/knowledge.yaml'
const GUIDE = readFileSync('docs/guides/run-on-kubernetes.md', 'utf8')
const SETTING_NAMES = new Set<string>(SETTINGS.map(({ name }) => name))

interface Container {
  readonly image: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly livenessProbe: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly readinessProbe: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly Container[]
  readonly securityContext: { readonly runAsUser: number; readonly runAsNonRoot: boolean }
}

const dockerfile = readFileSync('deploy/container/Dockerfile', 'utf8').replaceAll('\\\n', ' ')
const instruction = (name: string): string =>
  new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile.slice(dockerfile.indexOf('FROM scratch')))![1]
/** The environment that the image gives its program. */
const imageEnvironment = Object.fromEntries(
  [...instruction('ENV').matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, name, value]) => [name, value.replaceAll('"', '')]),
)

function portOf({ ports }: Container, wanted: string): number {
  return ports.find(({ name }) => name === wanted)!.containerPort
}

function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((each) => each.kind === kind)
}

function podOf(manifests: readonly Manifest[]): PodSpec {
  return (ofKind(manifests, 'StatefulSet')[0].spec.template as { spec: PodSpec }).spec
}

/** Returns the settings that a container gets, with those of its Secret. */
function settingsOf({ env }: Container): Record<string, string> {
  const secret = { DATABASE_URL: 'postgres://knowledge:password@database:5432/knowledge', SECRET_KEY: 's'.repeat(40) }
  return { ...secret, BOOTSTRAP_API_KEY: ADMIN_KEY, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) }
}

/** Values that turn everything on that the chart can do, and off. */
const CASES: Readonly<Record<string, object>> = {
  defaults: {},
  'one pod on SQLite': { replicas: 1, ingress: { enabled: false }, networkPolicy: { enabled: false } },
  'all set': {
    replicas: 5,
    image: { digest: `sha256:${'0'.repeat(64)}` },
    imagePullSecrets: [{ name: 'registry' }],
    settings: { LOG_LEVEL: 'debug', RATE_LIMIT_PER_MINUTE: '600' },
    storage: { className: 'fast' },
    networkPolicy: { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }] },
  },
}

describe('the Helm chart', () => {
  for (const [name, changes] of Object.entries(CASES)) {
    test(`makes objects that Kubernetes takes, from values that its schema takes: ${name}`, () => {
      const values = valuesOf(CHART, changes)
      const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as { $schema?: string }
      const validate = new Ajv({ allErrors: true }).compile(schema)
      assert.ok(validate(values), JSON.stringify(validate.errors))
      const manifests = renderChart(CHART, values)
      for (const manifest of manifests) assert.deepEqual(checkManifest(manifest), [], manifest.kind)
      const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      assert.equal(new Set(names).size, names.length)
      const [container] = podOf(manifests).containers
      const settings = settingsOf(container)
      assert.deepEqual(
        Object.keys(settings).filter((each) => !SETTING_NAMES.has(each)),
        [],
      )
      const config = readConfig({ ...imageEnvironment, ...settings })
      assert.deepEqual(
        [portOf(container, 'http'), portOf(container, 'probes')],
        [config.port, config.probePort],
        'the ports that the program of the image listens on',
      )
      assert.ok(podOf(manifests).terminationGracePeriodSeconds >= config.stopDelaySeconds + 12)
    })
  }

  test('refuses values that it does not know', () => {
    const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as object
    const validate = new Ajv().compile(schema)
    for (const changes of [{ replica: 2 }, { image: { digest: 'latest' } }, { settings: { logLevel: 'debug' } }])
      assert.equal(validate(valuesOf(CHART, changes)), false, JSON.stringify(changes))
  })

  test('has the version of the program', () => {
    const chart = readFileSync(join(CHART, 'Chart.yaml'), 'utf8')
    for (const field of ['version', 'appVersion'])
      assert.match(chart, new RegExp(`^${field}: ${VERSION.replaceAll('.', String.raw`\.`)}$`, 'm'))
  })

  test('names every pod to every other, under the names that the Service without an address gives them', () => {
    const manifests = renderChart(CHART, valuesOf(CHART, { replicas: 3 }), 'own')
    const config = readConfig(settingsOf(podOf(manifests).containers[0]))
    const [set] = ofKind(manifests, 'StatefulSet')
    const headless = ofKind(manifests, 'Service').find(({ spec }) => spec.clusterIP === 'None')!
    assert.equal(set.spec.serviceName, headless.metadata.name)
    const peers = [0, 1, 2].map((i) => `${set.metadata.name}-${i}.${headless.metadata.name}:9400`)
    const { env, ports } = podOf(manifests).containers[0]
    assert.equal(env.find(({ name }) => name === 'SEARCH_PEERS')!.value, peers.join(','))
    assert.equal(ports.find(({ name }) => name === 'search')!.containerPort, 9_400)
    assert.notEqual(config.searchPassing, null)
    const alone = podOf(renderChart(CHART, valuesOf(CHART, { replicas: 1 }))).containers[0]
    assert.equal(
      alone.env.some(({ name }) => name.startsWith('SEARCH_PEERS')),
      false,
    )
  })

  test('takes an image by its digest in place of a tag', () => {
    const digest = `sha256:${'a'.repeat(64)}`
    const [byDigest, byTag, byVersion] = [{ image: { digest, tag: 'x' } }, { image: { tag: '1.2' } }, {}].map(
      (changes) => podOf(renderChart(CHART, valuesOf(CHART, changes))).containers[0].image,
    )
    assert.deepEqual(
      [byDigest, byTag, byVersion],
      [`knowledge-service@${digest}`, 'knowledge-service:1.2', `knowledge-service:${VERSION}`],
    )
  })
})

describe('the manifests for Kubernetes', () => {
  const manifests = manifestsIn(readFileSync(MANIFESTS, 'utf8'))
  const pod = podOf(manifests)
  const [container] = pod.containers

  test('are what the chart makes with its own values', () => {
    assert.deepEqual(manifests, renderChart(CHART, valuesOf(CHART)))
  })

  test('run the image as its user, with what it writes and nothing else', () => {
    assert.equal(`${pod.securityContext.runAsUser}`, instruction('USER').split(':')[0])
    assert.equal(pod.securityContext.runAsNonRoot, true)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.deepEqual(
      container.volumeMounts.map(({ mountPath }) => mountPath),
      [instruction('VOLUME'), '/tmp'],
    )
    const ports = [portOf(container, 'http'), portOf(container, 'probes')]
    assert.deepEqual(ports.map(String), [imageEnvironment.PORT, imageEnvironment.PROBE_PORT])
    assert.equal(ports.join(' '), instruction('EXPOSE'))
  })

  test('have the memory that the service takes while it builds indexes', () => {
    const [, gigabytes] = /^(\d+)Gi$/.exec(container.resources.limits.memory)!
    assert.ok(Number(gigabytes) * 1_024 >= MEMORY_NEEDED_MB)
  })

  test('ask the probes that there are, and let the Ingress reach everything else alone', () => {
    const [live, ready] = [container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path)
    assert.deepEqual([live, ready], ['/healthz', '/readyz'])
    for (const { httpGet } of [container.livenessProbe, container.readinessProbe]) assert.equal(httpGet.port, 'probes')
    const [{ spec }] = ofKind(manifests, 'Ingress')
    const [rule] = spec.rules as { http: { paths: { path: string; pathType: string }[] } }[]
    const isOpen = (asked: string): boolean =>
      rule.http.paths.some(
        ({ path, pathType }) => asked === path || (pathType === 'Prefix' && asked.startsWith(`${path}/`)),
      )
    const documented = Object.keys(documentOf().paths)
    const hidden = ['/', '/console', '/console/assets/x.js', '/docs', '/docs/assets/x.js', '/openapi.json', '/mcp']
    const closed = ['/healthz', '/readyz', '/metrics']
    assert.deepEqual(
      [...documented, ...hidden].filter((path) => !isOpen(path) && !closed.includes(path)),
      [],
    )
    assert.deepEqual(closed.filter(isOpen), [])
  })

  test('let every selector find the pods', () => {
    const labels = (ofKind(manifests, 'StatefulSet')[0].spec.template as { metadata: { labels: object } }).metadata
      .labels
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector]
      if (kind === 'NetworkPolicy') return [(spec.podSelector as { matchLabels: object }).matchLabels]
      return spec.selector === undefined ? [] : [(spec.selector as { matchLabels: object }).matchLabels]
    })
    assert.equal(selectors.length, 5)
    for (const selector of selectors) assert.deepEqual(selector, labels)
  })

  test('are explained by a guide that names each file and each key of the Secret', () => {
    for (const path of [MANIFESTS, CHART]) assert.ok(existsSync(path) && GUIDE.includes(path), path)
    for (const key of ['DATABASE_URL', 'SECRET_KEY', 'BOOTSTRAP_API_KEY', 'BOOTSTRAP_ADMIN_PASSWORD'])
      assert.match(GUIDE, new RegExp(`--from-literal=${key}=`))
  })
})
